import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createWorkspace } from "./portico.ts";

const CREDENTIAL = ["--app-id", "app_1", "--credential-id", "cred_1", "--app-secret", "s3cr3t"];
const NOBODY = ["--base-url", "http://127.0.0.1:9"];

// The other tests run commands in a process that serves one after another (command-host.ts).
for (const [name, args, code, input] of [
  ["a command that succeeds exits 0", ["card", "--help"], 0, ""],
  ["a command that fails exits 1", ["whoami", ...CREDENTIAL, ...NOBODY], 1, ""],
  ["wrong usage exits 2", ["sned"], 2, ""],
  ["no command at all exits 2", [], 2, ""],
  ["a command reads standard input", ["card", "check", "-"], 1, '{"elements": 1}'],
  ["a command reads bytes from standard input", ["card", "check", "-"], 2, Buffer.from([0xff, 0xfe])],
] as const) {
  test(`in a process of its own, ${name} and writes what it does in a shared one`, async () => {
    await using workspace = await createWorkspace();
    const alone = await workspace.porticoAlone([...args], input);
    assert.equal(alone.code, code, alone.stderr);
    assert.notEqual(alone.stdout + alone.stderr, "");
    assert.deepEqual(await workspace.portico([...args], input), alone);
  });
}

test("a reader that has enough is no error", async () => {
  await using workspace = await createWorkspace();
  const command = workspace.start(["completion", "bash"]);
  const complaints = text(command.stderr);
  command.stdout.destroy();
  await once(command, "close");
  assert.deepEqual([command.exitCode, await complaints], [0, ""]);
});
