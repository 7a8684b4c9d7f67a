import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { type DemoService, printedJson, startDemoService } from "./demo-service.ts";

const FILE = "config/portico/logins/ann.json";

describe("a member's login by name", () => {
  let demo: DemoService;
  before(async () => {
    demo = await startDemoService();
  });
  after(() => demo?.[Symbol.asyncDispose]());

  /** Signs the demo's member in. */
  async function signIn(name: string, ...more: string[]) {
    const { member } = JSON.parse(await demo.read("data/demo.json"));
    const who = ["--tenant", member.tenantId, "--user", member.username, "--password-file", "-"];
    const args = ["login", "--member", "--as", name, "--base-url", demo.baseUrl, ...who, ...more];
    return { member, login: await demo.portico(args, `${member.password}\n`) };
  }

  it("is kept without its password, and used, renewed, listed and ended by its name", async () => {
    const { member, login } = await signIn("ann");
    assert.equal(login.code, 0, login.stderr);
    assert.match(login.stdout, /^signed in at http:\S+ as Alice \(alice of t_demo\)\n$/);
    assert.match(login.stderr, /logins\/ann\.json; `portico logout --as ann` ends it\.\n$/);
    const kept = await demo.read(FILE);
    assert.doesNotMatch(kept, new RegExp(member.password));
    assert.deepEqual(Object.keys(JSON.parse(kept)).sort(), [
      "baseUrl",
      "refreshToken",
      "tenantId",
      "userId",
      "username",
    ]);
    assert.equal((await stat((await demo.write("near", "")).replace(/near$/, FILE))).mode & 0o777, 0o600);

    const said = await demo.portico(["say", "group:g_demo", "by name", "--as", "ann", "--json"]);
    const { messageId } = printedJson(said);
    const { items } = printedJson(await demo.portico(["read", "group:g_demo", "--as", "ann", "--json"]));
    assert.equal(items.at(-1).messageId, messageId);
    assert.equal((await demo.portico(["miniapp-code", "app_demo_mini", "--as", "ann"])).code, 0);
    assert.notEqual(JSON.parse(await demo.read(FILE)).refreshToken, JSON.parse(kept).refreshToken);

    const listed = await demo.portico(["logins"]);
    assert.match(listed.stdout, /^name +service +kind +who\nann +http:\S+ +member +alice \(t_demo\)\n$/);
    const [json] = printedJson(await demo.portico(["logins", "--json"]));
    const { baseUrl, tenantId, userId, username } = JSON.parse(kept);
    assert.deepEqual(json, { name: "ann", kind: "member", baseUrl, tenantId, username, userId });

    const now = await demo.read(FILE);
    const ended = await demo.portico(["logout", "--as", "ann"]);
    assert.deepEqual([ended.code, ended.stdout], [0, `signed out at ${demo.baseUrl} (ann)\n`]);
    assert.match((await demo.portico(["read", "group:g_demo", "--as", "ann"])).stderr, /there is no login "ann"/);
    await demo.write(FILE, now);
    const over = await demo.portico(["read", "group:g_demo", "--as", "ann"]);
    assert.equal(over.code, 1);
    assert.match(
      over.stderr,
      /has ended or expired; run `portico login --member .*--tenant t_demo --user alice --as ann`/,
    );
  });

  it("is one or the other: a developer's command and a member's say so", async () => {
    assert.equal((await signIn("ann")).login.code, 0);
    assert.equal((await demo.portico(["login", "--as", "dev"])).code, 0);
    for (const [args, said] of [
      [["apps", "--as", "ann"], /the login "ann" is a member's, and a developer's is needed/],
      [["say", "group:g_demo", "hi", "--as", "dev"], /the login "dev" is a developer's, and a member's is needed/],
      [["read", "group:g_demo", "--as", "ann", "--base-url", "http://127.0.0.1:9"], /"ann" is for http:\S+: leave/],
    ] as const) {
      const { code, stderr } = await demo.portico([...args]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, said);
    }
    const { login } = await signIn("dev", "--json");
    assert.partialDeepStrictEqual(printedJson(login), { name: "dev", username: "alice", userName: "Alice" });
    assert.equal((await demo.portico(["read", "group:g_demo", "--as", "dev"])).code, 0, "the newer one replaces it");
  });

  it("is shared by concurrent commands, and continues", async () => {
    assert.equal((await signIn("ann")).login.code, 0);
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => demo.porticoAlone(["read", "group:g_demo", "--as", "ann"])),
    );
    for (const { code, stderr } of runs) assert.deepEqual([code, stderr], [0, ""]);
    assert.equal((await demo.portico(["read", "group:g_demo", "--as", "ann"])).code, 0);
  });

  it("keeps nothing when the password is wrong", async () => {
    const args = ["--tenant", "t_demo", "--user", "alice", "--password", "wr0ng", "--base-url", demo.baseUrl];
    const { code, stderr } = await demo.portico(["login", "--member", "--as", "wrong", ...args]);
    assert.equal(code, 1);
    assert.match(stderr, /Check tenant, username and password/);
    await assert.rejects(demo.read("config/portico/logins/wrong.json"), /ENOENT/);
  });
});
