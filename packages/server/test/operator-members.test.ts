import assert from "node:assert/strict";
import { alice, bob } from "./support/acme.ts";
import { operatedAcme, operator } from "./support/app-life.ts";
import { assertConsoleRefused, ConsoleClient, ownedApp } from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { send } from "./support/http.ts";
import { MemberClient } from "./support/member.ts";
import { lastEntry } from "./support/operator.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

const PASSWORD = "a password of hers";

onBothEngines("operator: tenants", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme());

  test("a tenant is added with a given or a generated id, and renamed; everything is audited", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    const tenant = { tenantId: "t_new", name: "New" };
    assert.deepEqual(await client.ok("POST", "operator/tenants", tenant), tenant);
    const { before, after, action, target, tenantId, appId } = await lastEntry(client);
    assert.deepEqual([action, target, tenantId, appId], ["tenant.create", "tenant:t_new", "t_new", null]);
    assert.deepEqual([before, after], [null, tenant]);

    assert.deepEqual(await client.ok("PATCH", "operator/tenants/t_new", { name: "Newer" }), {
      tenantId: "t_new",
      name: "Newer",
    });
    const renamed = await lastEntry(client);
    assert.equal(renamed.action, "tenant.update");
    assert.deepEqual([renamed.before, renamed.after], [{ name: "New" }, { name: "Newer" }]);

    const { tenantId: given } = await client.ok("POST", "operator/tenants", { name: "新租户" });
    assert.match(given, /^t_[0-9a-f]{24}$/);
  });
  test("an update without a difference is not in the audit log", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    const last = await lastEntry(client);
    await client.ok("PATCH", "operator/tenants/t_acme", { name: "Acme" });
    assert.deepEqual(await lastEntry(client), last);
  });
  test("an existing id is 409, also for all but one of concurrent calls; an unknown tenant is 404", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    assertConsoleRefused(await client.call("POST", "operator/tenants", { tenantId: "t_acme", name: "x" }), 409);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.call("POST", "operator/tenants", { tenantId: "t_race", name: "x" })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
    assertConsoleRefused(await client.call("PATCH", "operator/tenants/t_nowhere", { name: "x" }), 404, "租户不存在");
  });
  test("the list has pages and finds a part of the id or the name, in upper or lower case", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    for (const name of ["100% Pure", "1000 Pure", "pure_1"]) await client.ok("POST", "operator/tenants", { name });
    const found = async (keyword: string) => {
      const { items, total } = await client.ok("GET", `operator/tenants?keyword=${encodeURIComponent(keyword)}`);
      assert.equal(items.length, total);
      return items.map(({ name }: { name: string }) => name).sort();
    };
    assert.deepEqual(await found("PURE"), ["100% Pure", "1000 Pure", "pure_1"]);
    assert.deepEqual(await found("0% p"), ["100% Pure"]);
    assert.deepEqual(await found("e_1"), ["pure_1"]);
    assert.deepEqual(await found("\\"), []);
    const page = await client.ok("GET", "operator/tenants?keyword=pure&page=2&pageSize=2");
    assert.deepEqual([page.items.length, page.total, page.page, page.pageSize], [1, 3, 2, 2]);
  });
  for (const [what, body] of [
    ["no name", { tenantId: "t_1" }],
    ["a name of blanks", { name: " \t " }],
    ["a name of 101 characters", { name: "x".repeat(101) }],
    ["an id with a colon", { tenantId: "t:1", name: "x" }],
    ["an id that is a step up", { tenantId: "..", name: "x" }],
    ["an id of 129 characters", { tenantId: "t".repeat(129), name: "x" }],
  ] as const) {
    test(`${what}: 400`, async () => {
      const client = await ConsoleClient.logIn(world(), operator);
      assertConsoleRefused(await client.call("POST", "operator/tenants", body), 400);
    });
  }
});

onBothEngines("operator: members", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(ownedApp("app_bot")));
  const inAcme = async () => (await ConsoleClient.logIn(world(), operator)).in("t_acme");
  const signIn = (username: string, password: string, url = world().url) =>
    send(`${url}/api/client/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tenantId: "t_acme", username, password }),
    });
  /** The URL for a second caller: another process, if there can be one. */
  const second = async () => (engine.name === "postgres" ? await world().start() : world().portico);

  test("without a tenant: 400 tenant context required; with an unknown one: 404", async () => {
    const client = await ConsoleClient.logIn(world(), operator);
    for (const path of ["operator/members", "operator/groups", "operator/groups/g_team"]) {
      assertConsoleRefused(await client.get(path), 400, "tenant context required");
      assertConsoleRefused(await client.in("t_nowhere").get(path), 404, "租户不存在");
    }
  });
  test("a new member signs in; the password is not in answers, the audit log, the log or the database", async () => {
    const client = await inAcme();
    const member = { userId: "u_dora", username: "dora", name: "Dora", phone: "13900000009", disabled: false };
    const answer = await client.call("POST", "operator/members", { ...member, password: PASSWORD });
    assert.deepEqual(answer.json, member);
    assert.equal((await signIn("dora", PASSWORD)).status, 200);
    const entry = await lastEntry(client);
    assert.deepEqual([entry.action, entry.target, entry.tenantId], ["member.create", "member:u_dora", "t_acme"]);
    assert.deepEqual([entry.before, entry.after], [null, { ...member, password: "set" }]);
    assert.equal(entry.actor.name, "Operator");
    assert.ok(!JSON.stringify(await dumpTables(world())).includes(PASSWORD));
    assert.ok(!world().logLines.some((line) => line.includes(PASSWORD)));
  });
  test("a member needs only a username, but cannot sign in without a password", async () => {
    const client = await inAcme();
    const member = await client.ok("POST", "operator/members", { username: "plain" });
    assert.match(member.userId, /^u_[0-9a-f]{24}$/);
    assert.deepEqual(member, { ...member, username: "plain", name: "plain", phone: null, disabled: false });
    assert.equal((await signIn("plain", "null")).status, 401);
  });
  test("a username is unique in its tenant, also with concurrent calls; another tenant may have it too", async () => {
    const client = await inAcme();
    assertConsoleRefused(await client.call("POST", "operator/members", { username: "alice" }), 409, "用户名已存在");
    const taken = { username: "new", userId: "u_alice" };
    assertConsoleRefused(await client.call("POST", "operator/members", taken), 409, "用户名或userId已存在");
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.call("POST", "operator/members", { username: "race" })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
    await client.in("t_other").ok("POST", "operator/members", { username: "alice" });
  });
  test("omitted fields stay, a phone of null is removed, and the audit log has exactly the changes", async () => {
    const client = await inAcme();
    const { userId } = await client.ok("POST", "operator/members", { username: "erna", phone: "13900000010" });
    const path = `operator/members/${userId}`;
    const renamed = await client.ok("PATCH", path, { name: "Erna" });
    assert.deepEqual(renamed, { userId, username: "erna", name: "Erna", phone: "13900000010", disabled: false });
    const { action, before, after } = await lastEntry(client);
    assert.deepEqual([action, before, after], ["member.update", { name: "erna" }, { name: "Erna" }]);
    assert.equal((await client.ok("PATCH", path, { phone: null })).phone, null);
    assertConsoleRefused(await client.in("t_other").call("PATCH", path, { name: "x" }), 404, "成员不存在");
  });
  test("a new password ends all tokens at once in every process, and the old password is refused", async () => {
    const there = await second();
    const client = await inAcme();
    const { userId } = await client.ok("POST", "operator/members", { username: "fay", password: PASSWORD });
    const account = { tenantId: "t_acme", username: "fay", password: PASSWORD };
    const member = await MemberClient.signIn(there, account);
    await client.ok("PATCH", `operator/members/${userId}`, { password: "another password" });
    assert.equal((await member.get("conversations")).status, 401);
    assert.equal((await signIn("fay", PASSWORD)).status, 401);
    assert.equal((await signIn("fay", "another password", there.url)).status, 200);
    const { action, before, after } = await lastEntry(client);
    assert.deepEqual([action, before, after], ["member.update", {}, { password: "changed" }]);
  });
  test("a sign-in with the old password during the change does not last", async (t) => {
    const client = await inAcme();
    const { ctx } = world().portico;
    const { userId } = await client.ok("POST", "operator/members", { username: "gil", password: PASSWORD });
    const verify = ctx.passwords.verify.bind(ctx.passwords);
    t.mock.method(ctx.passwords, "verify", async (...given: Parameters<typeof verify>) => {
      const isRight = await verify(...given);
      await client.ok("PATCH", `operator/members/${userId}`, { password: "another password" });
      return isRight;
    });
    assert.equal((await signIn("gil", PASSWORD)).status, 401);
  });
  test("a disabled member is signed out everywhere, including streams, and can sign in again only when enabled", async () => {
    const there = await second();
    const client = await inAcme();
    const member = await MemberClient.signIn(there, bob);
    const streams = [
      await StreamClient.open(world().url, member.token),
      await StreamClient.open(there.url, member.token),
    ];
    const other = await StreamClient.open(there.url, (await MemberClient.signIn(there, alice)).token);
    const disabled = await client.ok("PATCH", "operator/members/u_bob", { disabled: true });
    assert.equal(disabled.disabled, true);
    for (const { closed } of streams) assert.equal((await closed).code, 4401);
    // The process that has closed the stream knows that the token has ended.
    assert.equal((await member.get("conversations")).status, 401);
    assert.equal(other.socket.readyState, other.socket.OPEN);
    await other.close();

    const [refused, unknown] = [await signIn("bob", bob.password), await signIn("nobody", bob.password)];
    assert.deepEqual([refused.status, refused.json.message], [unknown.status, unknown.json.message]);
    const { action, before, after } = await lastEntry(client);
    assert.deepEqual([action, before, after], ["member.disable", { disabled: false }, { disabled: true }]);
    await client.ok("PATCH", "operator/members/u_bob", { disabled: false });
    assert.equal((await lastEntry(client)).action, "member.enable");
    assert.equal((await member.get("conversations")).status, 401);
    assert.equal((await signIn("bob", bob.password)).status, 200);
  });
  test("a bot is neither offered to nor installed for a disabled member", async () => {
    const client = await inAcme();
    const { userId } = await client.ok("POST", "operator/members", { username: "shut" });
    const developer = (await ConsoleClient.logIn(world())).in("t_acme");
    const offered = async () =>
      (await developer.ok("GET", "apps/app_bot/bot-installation-members")).map(
        ({ username }: { username: string }) => username,
      );
    assert.ok((await offered()).includes("shut"));
    await client.ok("PATCH", `operator/members/${userId}`, { disabled: true });
    assert.ok(!(await offered()).includes("shut"));
    const refused = await developer.call("POST", "apps/app_bot/bot-installations", { username: "shut" });
    assert.ok(refused.status >= 400 && refused.status < 500, refused.text);
  });
  test("the list has a tenant's members by username, and finds a part of their names", async () => {
    const client = (await ConsoleClient.logIn(world(), operator)).in("t_other");
    for (const [username, name] of [
      ["zoe", "Zoe"],
      ["ann", "安娜"],
    ]) {
      await client.ok("POST", "operator/members", { username, name, phone: `1390000${username === "zoe" ? 1 : 2}` });
    }
    const found = async (query: string) => {
      const { items, total, page, pageSize } = await client.ok("GET", `operator/members?${query}`);
      return { names: items.map(({ username }: { username: string }) => username), total, page, pageSize };
    };
    const names = (await found("")).names;
    assert.ok(names.indexOf("ann") < names.indexOf("zoe") && !names.includes("dora"));
    assert.deepEqual(await found("keyword=ZO"), { names: ["zoe"], total: 1, page: 1, pageSize: 20 });
    assert.deepEqual((await found(`keyword=${encodeURIComponent("安")}`)).names, ["ann"]);
    assert.deepEqual((await found("keyword=13900001")).names, ["zoe"]);
    assert.deepEqual((await found("keyword=%25")).names, []);
    assert.deepEqual((await found("pageSize=1&page=2")).names.length, 1);
    assertConsoleRefused(await client.get("operator/members?pageSize=101"), 400, /pageSize/);
  });
  for (const [what, body, named] of [
    ["no username", {}, "username"],
    ["a username with a blank", { username: "a b" }, "username"],
    ["a username with a slash", { username: "a/b" }, "username"],
    ["a userId with a colon", { username: "x", userId: "a:b" }, "userId"],
    ["a password of 7 characters", { username: "x", password: "1234567" }, "password长度不能少于8"],
    ["a password of 1,025 characters", { username: "x", password: "x".repeat(1_025) }, "password"],
    ["a password with NUL", { username: "x", password: "12345678\0" }, "password"],
    ["a phone of letters", { username: "x", phone: "mobile" }, "phone"],
  ] as const) {
    test(`${what}: 400 naming it`, async () => {
      assertConsoleRefused(await (await inAcme()).call("POST", "operator/members", body), 400, new RegExp(named));
    });
  }
});
