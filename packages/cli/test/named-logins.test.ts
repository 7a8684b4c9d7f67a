import assert from "node:assert/strict";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { startDemoService } from "./demo-service.ts";
import { createWorkspace } from "./portico.ts";

test("a login by name is kept beside others, used with --as, listed, and ended by its name", async () => {
  await using demo = await startDemoService();
  const { provision } = JSON.parse(await demo.read("data/demo.json"));
  const login = async (name: string | null, developer: { phone: string; password: string }) => {
    const { phone, password } = developer;
    const named = name === null ? [] : ["--as", name];
    const { code, stderr } = await demo.portico(
      [...["login", ...named, "--phone", phone, "--password-file", "-"], ...["--base-url", demo.baseUrl]],
      password,
    );
    assert.equal(code, 0, stderr);
  };
  const [developer, operator] = provision.developers;
  await login("operator", operator);
  await login(null, developer);
  await login("dev", developer);
  const file = await demo.write("config/portico/logins/note.txt", "not a login");
  assert.equal((await stat(file.replace("note.txt", "operator.json"))).mode & 0o777, 0o600);

  const asOperator = await demo.portico(["reviews", "--as", "operator"]);
  assert.deepEqual([asOperator.code, asOperator.stdout], [0, "no reviews\n"]);
  assert.equal((await demo.portico(["reviews", "--as", "dev"])).code, 1);
  assert.equal((await demo.portico(["reviews"])).code, 1, "the one without a name is the developer's");

  const { stdout } = await demo.portico(["logins"]);
  assert.deepEqual(
    stdout.split("\n").map((line) => line.split(" ")[0]),
    ["name", "-", "dev", "operator", ""],
  );
  const json = JSON.parse((await demo.portico(["logins", "--json"])).stdout);
  assert.deepEqual(json[2], {
    name: "operator",
    kind: "developer",
    baseUrl: demo.baseUrl,
    developerId: json[2].developerId,
  });
  assert.doesNotMatch(JSON.stringify(json), /refresh/i);

  const elsewhere = await demo.portico(["apps", "--as", "dev", "--base-url", "http://127.0.0.1:9"]);
  assert.equal(elsewhere.code, 2);
  assert.match(elsewhere.stderr, /the login "dev" is for http:\/\/127\.0\.0\.1:\d+: leave --base-url out/);

  const ended = await demo.portico(["logout", "--as", "operator"]);
  assert.deepEqual([ended.code, ended.stdout], [0, `signed out at ${demo.baseUrl} (operator)\n`]);
  const gone = await demo.portico(["reviews", "--as", "operator"]);
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /there is no login "operator": `portico logins` lists/);
  assert.equal((await demo.portico(["apps", "--as", "dev"])).code, 0);
  assert.equal((await demo.portico(["logout", "--all"])).code, 0);
  assert.equal((await demo.portico(["logins"])).stdout, "nobody is signed in\n");
});

test("a login by name goes to its own service, whatever the environment names", async () => {
  await using workspace = await createWorkspace();
  const saved = { baseUrl: "http://127.0.0.1:9", developerId: "dev_1", refreshToken: "kept_1" };
  await workspace.write("config/portico/logins/work.json", JSON.stringify(saved));
  const child = workspace.start(["apps", "--as", "work"], { PORTICO_BASE_URL: "http://127.0.0.1:10" });
  const [complaints] = await Promise.all([text(child.stderr), once(child, "close")]);
  assert.equal(child.exitCode, 1);
  assert.match(complaints, /127\.0\.0\.1:9\b/);
});

test("PORTICO_BASE_URL and PORTICO_DATA_DIR say which service is meant and where the demo is", async () => {
  await using demo = await startDemoService();
  await using elsewhere = await createWorkspace();
  const demoFile = await elsewhere.write("store/demo.json", await demo.read("data/demo.json"));
  const run = async (args: string[], variables: Record<string, string>) => {
    const child = elsewhere.start(args, variables);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: child.exitCode, stdout, stderr };
  };
  const variables = { PORTICO_DATA_DIR: demoFile.replace("/demo.json", ""), PORTICO_BASE_URL: `${demo.baseUrl}/` };
  for (const command of [["whoami"], ["apps"], ["read", "group:g_demo"], ["customer", "agent", "bob"]]) {
    const { code, stderr } = await run(command, variables);
    assert.equal(code, 0, `${command.join(" ")}: ${stderr}`);
  }
  const unreached = await run(["whoami"], { ...variables, PORTICO_BASE_URL: "http://127.0.0.1:9" });
  assert.equal(unreached.code, 1);
  const option = await run(["whoami", "--base-url", demo.baseUrl], {
    ...variables,
    PORTICO_BASE_URL: "http://127.0.0.1:9",
  });
  assert.equal(option.code, 0, option.stderr);
  assert.equal((await run(["whoami"], { PORTICO_BASE_URL: demo.baseUrl })).code, 2, "there is no demo here");
});
