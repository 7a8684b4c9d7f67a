import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checkConfiguration } from "../src/operations/doctor.ts";
import { makeDataDir } from "../src/platform/disk/private-files.ts";
import { commandOf } from "../src/service/banner.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { startProcess } from "./support/process.ts";
import { FORM_TYPE, filePart, form } from "./support/uploads.ts";

/** All entries below `directory` that other accounts could access, with their modes. */
function open(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (entry.isSymbolicLink()) return [];
    const path = join(entry.parentPath, entry.name);
    const mode = lstatSync(path).mode & 0o7777;
    return mode === (entry.isDirectory() ? 0o700 : 0o600) ? [] : [`${path} ${mode.toString(8)}`];
  });
}

describe("the data directory", () => {
  test("is not accessible to other accounts, including existing and new files in it", async (t) => {
    const root = mkdtempSync(join(tmpdir(), "portico-test-"));
    t.after(() => rmSync(root, { recursive: true, force: true }));
    const [outside, dataDir] = [join(root, "outside"), join(root, "data")];
    const shard = join(dataDir, "blobs", "ab");
    mkdirSync(shard, { recursive: true });
    writeFileSync(outside, "not the service's");
    for (const path of [join(shard, "abcdef"), join(dataDir, "portico.db"), join(dataDir, "notes")]) {
      writeFileSync(path, "");
      chmodSync(path, 0o644);
    }
    for (const path of [shard, join(dataDir, "blobs"), dataDir]) chmodSync(path, 0o755);
    chmodSync(outside, 0o644);
    symlinkSync(outside, join(dataDir, "link"));
    // A start was interrupted while it created the key.
    writeFileSync(join(dataDir, "master.key.new"), "0123");

    const env = { PORTICO_DATA_DIR: dataDir, PORTICO_PORT: "0", PORTICO_LOG_LEVEL: "warn" };
    const server = await startProcess(env);
    t.after(() => server.end("SIGKILL"));
    const key = readFileSync(join(dataDir, "master.key"), "utf8");
    assert.match(key, /^[0-9a-f]{64}$/);
    const { member } = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
    const { token } = await MemberClient.signIn(server, member);
    const headers = { authorization: `Bearer ${token}`, "content-type": FORM_TYPE };
    const body = form(filePart());
    const uploaded = await send(`${server.url}/api/client/v1/files`, { method: "POST", headers, body });
    assert.equal(uploaded.status, 200, uploaded.text);
    await t.waitFor(() =>
      assert.deepEqual(
        open(root).filter((line) => !line.startsWith(outside)),
        [],
      ),
    );
    assert.ok(readdirSync(dataDir).includes("portico.db-wal"));
    assert.ok(!readdirSync(dataDir).includes("master.key.new"));
    assert.equal(lstatSync(outside).mode & 0o777, 0o644);
    assert.equal(await server.end("SIGTERM"), 0);
  });

  for (const [name, below, words] of [
    ["is a file", "file", /it is no directory \(EEXIST\)/],
    ["is below a file", "file/data", /something above it is no directory \(ENOTDIR\)/],
    ["is a link that leads nowhere", "link", /nothing can be made there \(ENOENT\)/],
    ["is where nothing can be made", null, /cannot be used/],
  ] as const) {
    test(`that ${name} ends the start with one line, and doctor finds it`, async (t) => {
      const root = mkdtempSync(join(tmpdir(), "portico-test-"));
      t.after(() => rmSync(root, { recursive: true, force: true }));
      writeFileSync(join(root, "file"), "");
      symlinkSync(join(root, "nowhere", "else"), join(root, "link"));
      const dataDir = below === null ? "/proc/portico/data" : join(root, below);
      await assert.rejects(makeDataDir(dataDir), (error: Error) => {
        assert.equal(error.name, "ConfigError");
        assert.match(error.message, words);
        assert.ok(!error.message.includes("\n") && error.message.includes("PORTICO_DATA_DIR"), error.message);
        return true;
      });
      const found = await checkConfiguration({ PORTICO_DATA_DIR: dataDir });
      assert.equal(found.find(({ check }) => check === "directory")?.state, "fault");
    });
  }

  test("is named by the commands that the start prints, unless they find it by themselves", () => {
    assert.equal(commandOf({ dataDir: join(process.cwd(), "data") }), "npx");
    assert.equal(commandOf({ dataDir: join(process.cwd(), "my data") }), "PORTICO_DATA_DIR='my data' npx");
    assert.equal(commandOf({ dataDir: "/tmp/it's" }), "PORTICO_DATA_DIR='/tmp/it'\\''s' npx");
    assert.equal(commandOf({ dataDir: "/srv/portico" }), "PORTICO_DATA_DIR=/srv/portico npx");
  });
});
