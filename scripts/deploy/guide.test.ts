import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { findProgram } from "../test-services/find-program.ts";
import { guideScript } from "./guide/guide-script.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const WALK = join(import.meta.dirname, "guide/walk.sh");
const PROGRAMS = ["nginx", "redis-server", "psql", "pg_dump", "openssl", "curl", "systemd-sysusers", "ip", "unshare"];
const PATH = [process.env.PATH ?? "", "/usr/sbin", "/sbin"].join(delimiter);

async function missing(): Promise<string | false> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs Linux and root";
  const found = await Promise.all(PROGRAMS.map((name) => findProgram(name, PATH)));
  const absent = PROGRAMS.filter((_, index) => found[index] === undefined);
  if (globSync("/usr/lib/postgresql/*/bin/initdb").length === 0) absent.push("a server of PostgreSQL");
  return absent.length > 0 && `needs ${absent.join(", ")}`;
}

test("the guide leads from an empty Debian to production, word for word", { skip: await missing() }, async (t) => {
  const { script, commands, skipped } = guideScript();
  assert.ok(commands > 50, `${commands}`);
  const folder = mkdtempSync(join(tmpdir(), "portico-guide-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "script");
  writeFileSync(file, script);
  t.diagnostic(
    `${commands} lines; skipped: ${skipped.join("; ")}; systemd is stood in for: what its units restrict is checked elsewhere`,
  );
  const { stdout, stderr } = await promisify(execFile)(
    "unshare",
    ["--mount", "--net", "--pid", "--uts", "--fork", "--kill-child", WALK, ROOT, file],
    { timeout: 170_000, maxBuffer: 16 * 1024 * 1024 },
  ).catch((error) => assert.fail(`${error.message}\n${error.stdout}\n${error.stderr}`));
  for (const line of [
    ...["process 8081 is ready", "process 8082 is ready", "the console is there", "the operator signs in"],
    ...["the metrics are hidden", "the metrics want a token", "the backup is noted", "the backup is the service's own"],
    ...["files are whose they should be", "walked to the end"],
  ]) {
    assert.ok(stdout.includes(line), `${line}\n${stdout}\n${stderr}`);
  }
});
