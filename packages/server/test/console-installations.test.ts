import assert from "node:assert/strict";
import { alice, botApp, call, INSTALLATIONS, sendText, textBody } from "./support/acme.ts";
import { auditOf } from "./support/audit.ts";
import { TO_ALICE } from "./support/card-acme.ts";
import {
  type Account,
  assertConsoleRefused,
  ConsoleClient,
  consoleAcme,
  consoleCall,
  fellow,
  nobody,
  ownedApp,
  owner,
  stranger,
} from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { StreamClient } from "./support/stream-client.ts";
import { suiteWorld } from "./support/world.ts";

const NOWHERE = { installations: [] };
const ALICE = { targetType: "USER", targetId: "u_alice" };
const TEAM = { targetType: "GROUP", targetId: "g_team" };
const path = (appId: string) => `apps/${appId}/bot-installations`;
const membersPath = (appId: string) => `apps/${appId}/bot-installation-members`;

onBothEngines("console: installations", (engine, test) => {
  const many = Array.from({ length: 45 }, (_, n) => `m${String(n).padStart(2, "0")}`);
  const file = consoleAcme(
    ...["app_bot", "app_fellow", "app_race", "app_turns", "app_members", "app_member", "app_stream"].map((appId) =>
      ownedApp(appId, NOWHERE),
    ),
    ownedApp("app_listed"),
    ownedApp("app_paged", { installations: many.map((name) => ({ targetType: "USER", targetId: `u_${name}` })) }),
    ownedApp("app_unpublished", { ...NOWHERE, status: "UNPUBLISHED" }),
    ownedApp("app_in_review", { ...NOWHERE, status: "IN_REVIEW" }),
    ownedApp("app_disabled", { status: "DISABLED" }),
    ownedApp("app_customer", { ...NOWHERE, type: "CUSTOMER_SERVICE", scopes: [] }),
    ownedApp("app_mini", { ...NOWHERE, type: "MINI_PROGRAM", scopes: [] }),
    botApp("app_foreign", { ...NOWHERE, tenant: "t_other", owner: stranger.phone }),
  );
  const member = (tenant: string, username: string, name: string) => ({
    tenant,
    userId: `u_${username}`,
    username,
    name,
  });
  file.members?.push(
    ...many.map((name) => member("t_pages", name, name)),
    member("t_acme", "gone", "Gone"),
    member("t_acme", "0_Zoe", "李雷 100%"),
    member("t_other", "olga", "Olga"),
  );
  file.tenants?.push({ id: "t_pages", name: "Pages" });
  for (const app of file.apps ?? []) if (app.appId === "app_paged") app.tenant = "t_pages";
  for (const developer of file.developers ?? []) if (developer.name === "Owner") developer.tenants?.push("t_pages");
  const world = suiteWorld(engine, file);
  const signIn = async (account: Account = owner, tenantId = "t_acme") =>
    (await ConsoleClient.logIn(world(), account)).in(tenantId);
  const install = async (appId: string, username: string) => (await signIn()).call("POST", path(appId), { username });
  const asSeenByApp = async (appId: string) => (await call(world(), appId, { target: INSTALLATIONS })).json.value.items;
  const setDisabled = (userId: string, disabled: number) =>
    world().portico.ctx.storage.write((tx) =>
      tx.updateTable("members").set({ disabled }).where("user_id", "=", userId).execute(),
    );

  test("installing for a member returns the installation; the bot sees it and may send there", async () => {
    const answer = await (await signIn()).ok("POST", path("app_bot"), { username: "alice" });
    const installation = { ...ALICE, status: "ACTIVE", name: "Alice", installedAt: world().clock.now() };
    assert.deepEqual(answer, installation);
    assert.deepEqual(await asSeenByApp("app_bot"), [installation]);
    assert.equal((await sendText(world(), "app_bot", "", { body: textBody("x", TO_ALICE) })).status, 200);
    const [entry, ...others] = await auditOf(world(), "app_bot");
    assert.deepEqual(others, []);
    const { actor, ...rest } = entry ?? { actor: "" };
    assert.match(actor, /^DEVELOPER dev_/);
    assert.deepEqual(rest, {
      at: world().clock.now(),
      action: "installation.create",
      target: "installation:USER:u_alice",
      tenantId: "t_acme",
      before: null,
      after: { status: "ACTIVE" },
      address: "127.0.0.1",
    });
  });
  test("installing again changes nothing and writes no audit entry", async () => {
    const before = await asSeenByApp("app_bot");
    world().clock.turn(60_000);
    assert.deepEqual([(await install("app_bot", "alice")).json], before);
    assert.deepEqual(await asSeenByApp("app_bot"), before);
    assert.equal((await auditOf(world(), "app_bot")).length, 1);
  });
  test("uninstalling returns the ended installation; the bot may not send there any more", async () => {
    const [before] = await asSeenByApp("app_bot");
    const answer = await (await signIn()).ok("DELETE", path("app_bot"), { username: "alice" });
    assert.deepEqual(answer, { ...before, status: "UNINSTALLED" });
    assert.equal((await sendText(world(), "app_bot", "", { body: textBody("x", TO_ALICE) })).status, 403);
    assert.deepEqual(await (await signIn()).ok("DELETE", path("app_bot"), ALICE), answer);
    const entries = await auditOf(world(), "app_bot");
    assert.equal(entries.length, 2);
    assert.equal(entries[1]?.action, "installation.delete");
    assert.deepEqual([entries[1]?.before, entries[1]?.after], [{ status: "ACTIVE" }, { status: "UNINSTALLED" }]);
  });
  test("installing once more makes it active from then on", async () => {
    world().clock.turn(60_000);
    const installedAt = world().clock.now();
    assert.deepEqual((await install("app_bot", "alice")).json, {
      ...ALICE,
      status: "ACTIVE",
      name: "Alice",
      installedAt,
    });
    const entry = (await auditOf(world(), "app_bot")).at(-1);
    assert.deepEqual([entry?.before, entry?.after], [{ status: "UNINSTALLED" }, { status: "ACTIVE" }]);
  });
  test("the target to uninstall may also be given in the query, and may be a group", async () => {
    const client = await signIn();
    const group = await client.ok("DELETE", `${path("app_listed")}?targetType=GROUP&targetId=g_team`);
    assert.deepEqual([group.targetId, group.status, group.name], ["g_team", "UNINSTALLED", "Team"]);
    const user = await client.ok("DELETE", `${path("app_listed")}?username=alice`);
    assert.deepEqual([user.targetId, user.status], ["u_alice", "UNINSTALLED"]);
    assert.equal((await client.ok("DELETE", path("app_listed"), TEAM)).status, "UNINSTALLED");
  });
  for (const [what, body, status, message] of [
    ["nothing", undefined, 400, "username不能为空"],
    ["an empty object", {}, 400, "username不能为空"],
    ["a username and a target", { username: "alice", ...ALICE }, 400, /username/],
    ["no targetType", { targetId: "u_alice" }, 400, "targetType不能为空"],
    ["no targetId", { targetType: "USER" }, 400, "targetId不能为空"],
    ["an illegal targetType", { targetType: "user_id", targetId: "u_alice" }, 400, /targetType/],
    ["a username with NUL", { username: "al\0ice" }, 400, /username/],
    ["a username that is a number", { username: 7 }, 400, /username/],
    ["an account that is nobody's", { username: "nobody" }, 404, "成员不存在"],
    ["a member of another tenant", { username: "olga" }, 404, "成员不存在"],
    ["a member who never had it", { username: "carol" }, 404, "机器人未安装到该目标"],
    ["a target that never had it", { targetType: "GROUP", targetId: "g_other" }, 404, "机器人未安装到该目标"],
    ["a group as a user", { targetType: "USER", targetId: "g_team" }, 404, "机器人未安装到该目标"],
  ] as const) {
    test(`uninstalling ${what}: ${status}`, async () => {
      assertConsoleRefused(await (await signIn()).call("DELETE", path("app_listed"), body), status, message);
    });
  }
  for (const [appId, message] of [
    ["app_unpublished", "应用未启用,不能安装"],
    ["app_in_review", "应用未启用,不能安装"],
    ["app_disabled", "应用未启用,不能安装"],
    ["app_customer", "只有BOT类型的应用可以安装"],
    ["app_mini", "只有BOT类型的应用可以安装"],
  ] as const) {
    test(`${appId} cannot be installed: 409, and nothing changes`, async () => {
      assertConsoleRefused(await install(appId, "carol"), 409, message);
      const { items } = await (await signIn()).ok("GET", path(appId));
      assert.ok(!items.some(({ targetId }: { targetId: string }) => targetId === "u_carol"));
      assert.deepEqual(await auditOf(world(), appId), []);
    });
  }
  test("a DISABLED app can be uninstalled", async () => {
    const { status } = await (await signIn()).ok("DELETE", path("app_disabled"), { username: "alice" });
    assert.equal(status, "UNINSTALLED");
  });
  for (const [what, body, status, message] of [
    ["an account that is nobody's", { username: "nobody" }, 404, "成员不存在"],
    ["a member of another tenant", { username: "olga" }, 404, "成员不存在"],
    ["a userId", { username: "u_alice" }, 404, "成员不存在"],
    ["a name", { username: "Alice A" }, 404, "成员不存在"],
    ["no username", {}, 400, "username不能为空"],
    ["an empty username", { username: "" }, 400, "username不能为空"],
    ["a username of null", { username: null }, 400, /username/],
    ["a username with a lone surrogate", { username: "\ud800" }, 400, /username/],
    ["a username without end", { username: "x".repeat(129) }, 400, /username/],
  ] as const) {
    test(`installing for ${what}: ${status}`, async () => {
      assertConsoleRefused(await (await signIn()).call("POST", path("app_bot"), body), status, message);
    });
  }
  test("nothing can be installed for a disabled member, but it can be uninstalled", async () => {
    assert.equal((await install("app_bot", "gone")).status, 200);
    await setDisabled("u_gone", 1);
    assertConsoleRefused(await install("app_bot", "gone"), 409, "成员已停用");
    const answer = await (await signIn()).ok("DELETE", path("app_bot"), { username: "gone" });
    assert.equal(answer.status, "UNINSTALLED");
    await setDisabled("u_gone", 0);
  });

  test("the list is paged in the order of installation, 20 at a time by default", async () => {
    const client = await signIn(owner, "t_pages");
    const first = await client.ok("GET", path("app_paged"));
    assert.deepEqual({ ...first, items: first.items.length }, { items: 20, total: 45, page: 1, pageSize: 20 });
    assert.deepEqual(Object.keys(first.items[0]), ["targetId", "targetType", "status", "name", "installedAt"]);
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const answer = await client.ok("GET", `${path("app_paged")}?page=${page}&pageSize=15`);
      seen.push(...answer.items.map(({ targetId }: { targetId: string }) => targetId));
    }
    assert.deepEqual(
      seen,
      many.map((name) => `u_${name}`),
    );
    assert.equal((await client.ok("GET", `${path("app_paged")}?pageSize=100`)).items.length, 45);
  });
  test("the list is filtered by target type and status; by default it contains all", async () => {
    const client = await signIn();
    await client.ok("POST", path("app_listed"), { username: "carol" });
    const listed = async (query: string) => {
      const { items, total } = await client.ok("GET", `${path("app_listed")}?${query}`);
      assert.equal(total, items.length);
      return items.map(({ targetId, status }: { targetId: string; status: string }) => `${targetId} ${status}`);
    };
    assert.deepEqual(await listed(""), ["g_team UNINSTALLED", "u_alice UNINSTALLED", "u_carol ACTIVE"]);
    assert.deepEqual(await listed("status=ACTIVE"), ["u_carol ACTIVE"]);
    assert.deepEqual(await listed("targetType=GROUP"), ["g_team UNINSTALLED"]);
    assert.deepEqual(await listed("targetType=USER&status=UNINSTALLED"), ["u_alice UNINSTALLED"]);
  });
  for (const query of [
    "targetType=group",
    "status=GONE",
    "page=0",
    "page=-1",
    "page=x",
    "page=1.5",
    "page=9999999",
    "pageSize=0",
    "pageSize=101",
    "pageSize=1e2",
  ]) {
    test(`?${query}: 400 naming the parameter`, async () => {
      const answer = await (await signIn()).get(`${path("app_bot")}?${query}`);
      assertConsoleRefused(answer, 400, new RegExp(`^${query.split("=")[0]}`));
    });
  }

  test("the list of installable members contains enabled ones of the tenant without the bot, by account", async () => {
    const client = await signIn();
    const listed = async (query = "") =>
      (await client.ok("GET", membersPath("app_members") + query)).map(
        ({ username }: { username: string }) => username,
      );
    const whole = await client.ok("GET", membersPath("app_members"));
    assert.deepEqual(whole[1], { username: "alice", name: "Alice" });
    assert.deepEqual(await listed(), ["0_Zoe", "alice", "bob", "carol", "gone"]);
    await client.ok("POST", path("app_members"), { username: "alice" });
    await setDisabled("u_gone", 1);
    assert.deepEqual(await listed(), ["0_Zoe", "bob", "carol"]);
    await client.ok("DELETE", path("app_members"), { username: "alice" });
    await setDisabled("u_gone", 0);
    assert.deepEqual(await listed(), ["0_Zoe", "alice", "bob", "carol", "gone"]);
    assert.deepEqual(await listed("?limit=2"), ["0_Zoe", "alice"]);
    assert.deepEqual(await listed("?keyword=CAR"), ["carol"]);
    assert.deepEqual(await listed(`?keyword=${encodeURIComponent("李")}`), ["0_Zoe"]);
    assert.deepEqual(await listed(`?keyword=${encodeURIComponent("雷 100%")}`), ["0_Zoe"]);
    assert.deepEqual(await listed("?keyword=0_z"), ["0_Zoe"]);
    assert.deepEqual(await listed("?keyword="), ["0_Zoe", "alice", "bob", "carol", "gone"]);
    assert.deepEqual(await listed("?keyword=%27%22%5c"), []);
    for (const query of ["limit=0", "limit=1001", "keyword=%00", `keyword=${"x".repeat(129)}`]) {
      assertConsoleRefused(await client.get(`${membersPath("app_members")}?${query}`), 400);
    }
  });

  for (const [method, url, body] of [
    ["POST", path("app_fellow"), { username: "alice" }],
    ["GET", path("app_fellow"), undefined],
    ["DELETE", path("app_fellow"), { username: "alice" }],
    ["GET", membersPath("app_fellow"), undefined],
  ] as const) {
    test(`${method} ${url}: needs a tenant of the developer, which must be the app's`, async () => {
      assertConsoleRefused(await consoleCall(world(), method, url, { body }), 401);
      const client = await ConsoleClient.logIn(world());
      assertConsoleRefused(await client.call(method, url, body), 400, "tenant context required");
      assertConsoleRefused(await client.in("  ").call(method, url, body), 400, "tenant context required");
      assertConsoleRefused(await client.in("t_other").call(method, url, body), 403);
      assertConsoleRefused(await client.in("t_none").call(method, url, body), 403);
      // This developer works for both tenants; the app belongs to the other one.
      assertConsoleRefused(await (await signIn(fellow, "t_other")).call(method, url, body), 404, "应用不存在");
      assertConsoleRefused(await (await signIn(stranger, "t_other")).call(method, url, body), 404, "应用不存在");
      assertConsoleRefused(await (await signIn(nobody)).call(method, url, body), 403);
      const foreign = url.replace("app_fellow", "app_foreign");
      assertConsoleRefused(await (await signIn()).call(method, foreign, body), 404, "应用不存在");
    });
  }
  test("another developer of the tenant may list and install, but not uninstall", async () => {
    const client = await signIn(fellow);
    assert.equal((await client.ok("POST", path("app_fellow"), { username: "bob" })).status, "ACTIVE");
    assert.equal((await client.ok("GET", path("app_fellow"))).total, 1);
    assert.ok(Array.isArray(await client.ok("GET", membersPath("app_fellow"))));
    const refusal = await client.call("DELETE", path("app_fellow"), { username: "bob" });
    assertConsoleRefused(refusal, 403, "只有应用的所有者可以执行此操作");
    assert.equal((await client.ok("GET", path("app_fellow"))).items[0].status, "ACTIVE");
  });

  test("a member's open stream delivers messages of a newly installed bot, in every process", async (t) => {
    const other = engine.name === "postgres" ? await world().start() : world().portico;
    const { token } = await MemberClient.signIn(other, alice);
    const stream = await StreamClient.open(other.url, token);
    t.after(() => stream.close());
    await (await signIn()).ok("POST", path("app_stream"), { username: "alice" });
    assert.equal((await sendText(world(), "app_stream", "", { body: textBody("hello", TO_ALICE) })).status, 200);
    const { message } = await stream.find(({ conversationId }) => conversationId === "bot:app_stream");
    assert.deepEqual(message.content, { text: "hello" });
  });

  test("20 concurrent installs create one installation and one audit entry", async () => {
    const urls = [world().url, engine.name === "postgres" ? (await world().start()).url : world().url];
    const client = await signIn();
    for (let round = 1; round <= 3; round++) {
      world().clock.turn(1_000);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          client.at({ url: urls[n % urls.length] ?? "" }).ok("POST", path("app_race"), { username: "alice" }),
        ),
      );
      const installation = { ...ALICE, status: "ACTIVE", name: "Alice", installedAt: world().clock.now() };
      for (const answer of answers) assert.deepEqual(answer, installation);
      assert.equal((await client.ok("GET", path("app_race"))).total, 1);
      await client.ok("DELETE", path("app_race"), { username: "alice" });
      assert.equal((await auditOf(world(), "app_race")).length, 2 * round);
    }
  });
  test("concurrent installs and uninstalls are audited in their real order", async () => {
    const client = await signIn();
    await client.ok("POST", path("app_turns"), { username: "alice" });
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        client.ok(n % 2 ? "POST" : "DELETE", path("app_turns"), { username: "alice" }),
      ),
    );
    const entries = await auditOf(world(), "app_turns");
    let status: string | null = null;
    for (const { before, after } of entries) {
      assert.deepEqual(before, status && { status });
      status = Object(after).status;
    }
    assert.equal((await client.ok("GET", path("app_turns"))).items[0].status, status);
  });

  test("changes by members are audited under their name, and only if something changes", async () => {
    const client = await MemberClient.signIn(world(), alice);
    const body = { appId: "app_member", ...TEAM };
    for (const method of ["POST", "POST", "DELETE", "DELETE", "POST"]) {
      assert.equal((await client.post("installations", body, method)).status, 200);
    }
    const entry = {
      at: world().clock.now(),
      actor: "MEMBER u_alice",
      target: "installation:GROUP:g_team",
      tenantId: "t_acme",
      address: "127.0.0.1",
    };
    const [active, uninstalled] = [{ status: "ACTIVE" }, { status: "UNINSTALLED" }];
    assert.deepEqual(await auditOf(world(), "app_member"), [
      { ...entry, action: "installation.create", before: null, after: active },
      { ...entry, action: "installation.delete", before: active, after: uninstalled },
      { ...entry, action: "installation.create", before: uninstalled, after: active },
    ]);
    assert.equal(
      (await client.post("installations", { appId: "app_member", ...TEAM, targetId: "g_other" })).status,
      403,
    );
    assert.equal((await auditOf(world(), "app_member")).length, 3);
  });
});
