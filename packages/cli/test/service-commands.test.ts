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
  assert.match(wrong.stderr, /key master key: the master key is not the one/);
});

test("master-key rotates the key of a stopped service, and says how far it is by its exit code", async () => {
  await using workspace = await createWorkspace();
  await workspace.write("world.json", JSON.stringify({ tenants: [{ id: "t_1", name: "One" }] }));
  const early = await workspace.portico(["master-key", "rotate"]);
  assert.equal(early.code, 1);
  assert.match(early.stderr, /master\.key is missing/);
  assert.equal((await workspace.portico(["provision", "world.json"])).code, 0);
  const before = await workspace.portico(["master-key", "status"]);
  assert.deepEqual([before.code, before.stderr], [0, ""]);
  assert.match(before.stdout, /^key +[0-9a-f]{16}\nthe master key has never been rotated$/m);
  const old = (await workspace.read("data/master.key")).trim();

  const begun = await workspace.portico(["master-key", "rotate"]);
  assert.equal(begun.code, 0, begun.stderr);
  const [, to, from] =
    /^the master key is ([0-9a-f]{16}) from now on, and was ([0-9a-f]{16})$/m.exec(begun.stdout) ?? [];
  assert.match(begun.stderr, /^All secrets are sealed under it\./m);
  const lines = (await workspace.read("data/master.key")).split("\n");
  assert.deepEqual([lines.length, lines[1]], [2, old]);
  assert.ok(!`${begun.stdout}${begun.stderr}`.includes(lines[0] ?? ""), "a key is not shown");
  const status = await workspace.porticoAlone(["master-key", "status"]);
  assert.equal(status.code, 3, status.stderr);
  assert.match(status.stdout, new RegExp(`^key +${to}\nneeded as well +${from}\n`));
  assert.match(status.stdout, /nothing that is stored needs the earlier keys; until 20\d\d-/);
  const json = JSON.parse((await workspace.portico(["master-key", "status", "--json"])).stdout);
  assert.deepEqual([json.state, json.sealing, json.from], ["settling", to, [from]]);
  const again = await workspace.portico(["master-key", "rotate"]);
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  assert.match(again.stderr, /the last rotation is not over/);

  await workspace.write("data/master.key", old);
  const wrong = await workspace.portico(["master-key", "status"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /the master key was rotated: .* Put the new one before it/);
});

test("operator create makes the first operator of an empty store, who signs in; a start before says how", async () => {
  await using workspace = await createWorkspace();
  const environment = { PORTICO_PORT: "0", PORTICO_LOG_LEVEL: "silent", PORTICO_ENVIRONMENT: "production" };
  const started = async () => {
    const service = workspace.start(["serve"], environment);
    let output = "";
    service.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    while (!/console API .*\n(.*\n)*$/.test(output)) await once(service.stdout, "data");
    return { service, output: () => output };
  };
  const stop = async ({ service }: Awaited<ReturnType<typeof started>>) => {
    service.kill("SIGTERM");
    await once(service, "close");
  };
  const empty = await started();
  await stop(empty);
  assert.match(empty.output(), /Nobody can sign in yet\..*\n +npx portico operator create --phone /);

  const create = (input: string, ...options: string[]) =>
    workspace.portico(
      ["operator", "create", "--phone", "13800000009", "--channel", "1", "--password-stdin", ...options],
      input,
    );
  const short = await create("short\n");
  assert.deepEqual(
    [short.code, short.stderr],
    [1, "portico operator create: the password must have 8 to 1,024 characters\n"],
  );
  const made = await create("a good password\n", "--name", "Ops", "--json");
  assert.equal(made.code, 0, made.stderr);
  assert.match(JSON.parse(made.stdout).developerId, /^dev_/);
  const again = await create("another password");
  assert.equal(again.code, 1);
  assert.match(again.stderr, /somebody has the phone number 13800000009 in channel 1 already: nothing was changed/);

  const isRefused = async (expected: RegExp, environment: Record<string, string>, phone = "13800000009") => {
    // Nobody enters a password, nor says that none will come.
    const args = ["operator", "create", "--phone", phone, "--channel", "1", "--password-stdin"];
    const asked = workspace.start(args, environment);
    let words = "";
    asked.stderr.setEncoding("utf8").on("data", (chunk: string) => (words += chunk));
    const [code] = await once(asked, "close");
    assert.equal(code, 1);
    assert.match(words, expected);
  };
  await isRefused(/somebody has the phone number 13800000009 in channel 1 already/, {});
  await isRefused(/the phone number must have 3 to 32 digits/, {}, "x");
  const nowhere = { PORTICO_DATABASE_URL: "postgres://127.0.0.1:1/x", PORTICO_REDIS_URL: "redis://127.0.0.1:1" };
  await isRefused(/PostgreSQL at PORTICO_DATABASE_URL does not answer/, {
    ...nowhere,
    PORTICO_MASTER_KEY: "5e".repeat(32),
  });

  const ready = await started();
  await isRefused(/another Portico \(process \d+\) is running/, {}, "13800000010");
  assert.doesNotMatch(ready.output(), /Nobody can sign in/);
  const [, baseUrl = ""] = /Portico is up at (\S+)/.exec(ready.output()) ?? [];
  const login = ["login", "--base-url", baseUrl, "--phone", "13800000009", "--channel", "1", "--password-file", "-"];
  const signedIn = await workspace.portico(login, "a good password");
  assert.equal(signedIn.code, 0, signedIn.stderr);
  const tenants = await workspace.portico(["tenants", "--json"]);
  assert.equal(tenants.code, 0, tenants.stderr);
  await stop(ready);
});

test("migrate --check exits 3 while there is something to do, and writes nothing", async () => {
  await using workspace = await createWorkspace();
  const check = async () => await workspace.porticoAlone(["migrate", "--check"]);
  const due = await check();
  assert.deepEqual([due.code, due.stderr], [3, ""]);
  assert.match(due.stdout, /^would migrate from nothing to \d{4}-/);
  await assert.rejects(workspace.read("data/portico.db"), /ENOENT/);
  assert.match((await workspace.portico(["migrate"])).stdout, /^migrated from nothing to /);
  assert.match((await check()).stdout, /^nothing to do: the schema is \d{4}-/);
  assert.equal((await check()).code, 0);
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
