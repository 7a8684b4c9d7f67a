import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { findProgram } from "../../../scripts/test-services/find-program.ts";

const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, "../../..");
/** systemd calls up to 2.0 "OK"; a unit without any restriction has 9.6. */
const MOST_EXPOSED = 2;
const program = await findProgram("systemd-analyze", process.env.PATH ?? "");

const UNITS = ["portico.service", "portico@.service", "portico-backup.service"];

describe("the units of systemd", { skip: program === undefined ? "needs systemd-analyze" : false }, () => {
  const folderOfUnits = join(REPOSITORY, "deploy/systemd");

  test("have no fault that systemd finds, and their commands are there", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const files = [...UNITS, "portico-backup.timer"].map((name) => {
      const text = readFileSync(join(folderOfUnits, name), "utf8");
      // Verified is an instance.
      const here = join(folder, name.replace("@", "@8081"));
      writeFileSync(here, text.replaceAll("/opt/portico", REPOSITORY).replace("/usr/local/bin", folderOfUnits));
      return here;
    });
    const { stdout, stderr } = await run(program ?? "", ["verify", ...files]);
    assert.equal(stdout + stderr, "");
  });
  test("of one process and of several differ in the port alone", () => {
    const [one = "", several = ""] = UNITS.map((name) => readFileSync(join(folderOfUnits, name), "utf8"));
    const settings = (text: string) =>
      text.split("\n").filter((line) => /^\w+=/.test(line) && !/^(Description|After)=/.test(line));
    assert.deepEqual(
      settings(several).map((line) => line.replace(" PORTICO_PORT=%i", "")),
      settings(one),
    );
  });
  test("have the flags and settings of npm start", () => {
    const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8"));
    const [, settings = "", command = ""] = /^exec env ((?:\w+=\S+ )*)node (.*)$/.exec(scripts.start) ?? [];
    const text = readFileSync(join(folderOfUnits, "portico.service"), "utf8");
    assert.ok(command !== "" && text.includes(`/.bin/node ${command}\n`), scripts.start);
    // The unit cannot write into its checkout.
    const inUnit = settings.trim().replace("=node_modules/.cache/node", "=/var/cache/portico");
    assert.match(text, /^CacheDirectory=portico$/m);
    for (const setting of inUnit.split(" ")) assert.ok(text.includes(setting), setting);
  });
  for (const name of UNITS) {
    test(`${name} exposes little`, async () => {
      const { stdout } = await run(program ?? "", ["security", "--offline=true", join(folderOfUnits, name)]);
      const level = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
      assert.ok(level <= MOST_EXPOSED, `${level}`);
    });
  }
});
