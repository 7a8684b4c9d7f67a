import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { createWorkspace } from "./portico.ts";

test("provision applies a file and prints one line per kind", async () => {
  await using workspace = await createWorkspace();
  const members = ["alice", "bob"].map((username) => ({ tenant: "t_1", userId: `u_${username}`, username }));
  await workspace.write("world.json", JSON.stringify({ tenants: [{ id: "t_1", name: "One" }], members }));
  const { code, stdout, stderr } = await workspace.portico(["provision", "world.json"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^tenants +1$/m);
  assert.match(stdout, /^members +2$/m);
});

test("provision applies the changes of a file, previews them, and with --force reports what it overwrites", async () => {
  await using workspace = await createWorkspace();
  const provision = async (name: string, ...options: string[]) => {
    const tenants = [{ id: "t_1", name }];
    await workspace.write(
      "world.json",
      JSON.stringify({ tenants, developers: [{ phone: "1", password: "a secret" }] }),
    );
    const { code, stdout, stderr } = await workspace.portico(["provision", "world.json", ...options]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.doesNotMatch(stdout, /a secret/);
    return stdout;
  };
  const shown = await provision("One", "--dry-run");
  assert.match(shown, /^tenant:t_1 +- +new\ndeveloper:1:1 +- +new\n/);
  assert.match(shown, /^would apply +4\nunchanged +0\nskipped +0$/m);
  await assert.rejects(workspace.read("data/portico.db"), /ENOENT/);

  assert.match(await provision("One"), /^applied +4\nunchanged +0\nskipped +0$/m);
  assert.match(await provision("One"), /^applied +0\nunchanged +4\nskipped +0$/m);
  assert.match(
    await provision("Two", "--dry-run"),
    /^tenant:t_1 +name +One -> Two\n(.*\n)*would apply +1\nunchanged +3$/m,
  );
  assert.match(
    await provision("Three", "--force"),
    /^tenant:t_1 +name +One -> Three\n(.*\n)*applied +1\nunchanged +3$/m,
  );
});

test("provision reports the problem of a file, without a stack trace", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("world.json", JSON.stringify({ tenants: [{ id: 5 }] }));
  const { code, stdout, stderr } = await workspace.portico(["provision", "world.json"]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^portico provision: .*tenants\[0\]\.id.*\n$/);
});

test("backup, restore and check-store take a store to another place, and refuse what they would overwrite", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("world.json", JSON.stringify({ tenants: [{ id: "t_1", name: "One" }] }));
  assert.equal((await workspace.portico(["provision", "world.json"])).code, 0);

  const made = await workspace.portico(["backup", "b.tar"]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /^b\.tar: \d.* 0 files, as of 20\d\d-.* schema \d{4}-/);
  assert.match(made.stderr, /master key is NOT in it/);
  const again = await workspace.portico(["backup", "b.tar"]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^portico backup: b\.tar exists already/m);
  const over = await workspace.portico(["restore", "b.tar"]);
  assert.equal(over.code, 1);
  assert.match(over.stderr, /is not empty/);

  const good = await workspace.portico(["check-store", "--json"]);
  assert.equal(good.code, 0, good.stderr);
  assert.equal(JSON.parse(good.stdout).findingCount, 0);
  await workspace.write("data/master.key", "0".repeat(64));
  const wrong = await workspace.portico(["check-store"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /key master key: it is not the one/);
});

test("serve runs the service until SIGTERM and exits 0", async () => {
  await using workspace = await createWorkspace();
  const service = workspace.start(["serve"], { PORTICO_PORT: "0", PORTICO_LOG_LEVEL: "silent" });
  await Promise.race([once(service.stdout, "data"), once(service, "close")]);
  service.kill("SIGTERM");
  await once(service, "close");
  assert.equal(service.exitCode, 0);
});

test("serve exits 1 when the service refuses its configuration", async () => {
  await using workspace = await createWorkspace();
  const service = workspace.start(["serve"], { PORTICO_COLOUR: "red" });
  await once(service, "close");
  assert.equal(service.exitCode, 1);
});
