import assert from "node:assert/strict";
import { call } from "./support/acme.ts";
import {
  atOnce,
  callWith,
  create,
  operatedAcme,
  operator,
  scopeStates,
  signIns,
  statuses,
} from "./support/app-life.ts";
import { auditRowsOf } from "./support/audit.ts";
import { assertConsoleRefused, consoleCall, fellow, nobody, ownedApp, owner, stranger } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { suiteWorld } from "./support/world.ts";

const APP = [
  "appId",
  "type",
  "tenantId",
  "ownerId",
  "status",
  "disabledReason",
  "displayName",
  "avatar",
  "description",
  "createdAt",
  "review",
];
const READS = ["apps/app_bot", "apps/app_bot/credentials", "apps/app_bot/scopes", "apps/app_bot/quota"];
const WRITES: [method: string, path: string, body?: unknown][] = [
  ["PATCH", "apps/app_bot", { displayName: "Taken" }],
  ["POST", "apps/app_bot/submit"],
  ["DELETE", "apps/app_bot/submit"],
  ["POST", "apps/app_bot/credentials"],
  ["POST", "apps/app_bot/credentials/revoke-old"],
  ["POST", "apps/app_bot/scopes", { scopes: ["bot.message.send"] }],
  ["DELETE", "apps/app_bot/scopes/bot.message.send"],
];
const OPERATIONS: [method: string, path: string, body?: unknown][] = [
  ["GET", "operator/reviews"],
  ["POST", "operator/reviews/app_bot/approve"],
  ["POST", "operator/reviews/app_bot/reject", { comment: "no" }],
  ["GET", "operator/apps"],
  ["GET", "operator/apps/app_bot"],
  ["POST", "operator/apps/app_bot/disable", { reason: "spam" }],
  ["POST", "operator/apps/app_bot/enable"],
  ["GET", "operator/apps/app_bot/quota"],
  ["PUT", "operator/apps/app_bot/quota", { perMinute: 1, perDay: 1, concurrent: 1 }],
];

onBothEngines("console: applications", (engine, test) => {
  const world = suiteWorld(
    engine,
    operatedAcme(
      ownedApp("app_bot"),
      ownedApp("app_profile"),
      ownedApp("app_quota", { quota: {} }),
      ownedApp("app_scopes", { status: "UNPUBLISHED", scopes: ["bot.profile.read"] }),
      ownedApp("app_other", {
        tenant: "t_other",
        owner: stranger.phone,
        installations: [],
        profile: { displayName: "100%_É" },
      }),
    ),
  );
  const signIn = signIns(world);

  for (const path of READS) {
    test(`GET ${path} is for the developers of the tenant; for others the application does not exist`, async () => {
      assertConsoleRefused(await consoleCall(world(), "GET", path), 401);
      await (await signIn(fellow)).ok("GET", path);
      for (const other of [stranger, nobody, operator]) {
        assertConsoleRefused(await (await signIn(other)).get(path), 404, "应用不存在");
      }
    });
  }
  for (const [method, path, body] of WRITES) {
    test(`${method} ${path} is for the owner only`, async () => {
      assertConsoleRefused(await consoleCall(world(), method, path, { body }), 401);
      assertConsoleRefused(
        await (await signIn(fellow)).call(method, path, body),
        403,
        "只有应用的所有者可以执行此操作",
      );
      for (const other of [stranger, nobody, operator]) {
        assertConsoleRefused(await (await signIn(other)).call(method, path, body), 404, "应用不存在");
      }
    });
  }
  for (const [method, path, body] of OPERATIONS) {
    test(`${method} ${path} is for operators`, async () => {
      assertConsoleRefused(await consoleCall(world(), method, path, { body }), 401);
      assertConsoleRefused(await (await signIn()).call(method, path, body), 403, "只有平台运营人员可以执行此操作");
      if (!path.includes("app_bot")) return;
      const unknown = path.replace("app_bot", "app_nowhere");
      assertConsoleRefused(await (await signIn(operator)).call(method, unknown, body), 404, "应用不存在");
    });
  }

  test("a new application is UNPUBLISHED with its type's default scopes, and its first credential is shown", async () => {
    const client = await signIn();
    const body = { type: "BOT", displayName: "构建机器人", avatar: "https://example.com/a.png", description: "a\nb" };
    const made = await client.ok("POST", "apps", { ...body, tenantId: "t_acme" });
    assert.deepEqual(Object.keys(made), [...APP, "credentialId", "appSecret"]);
    const { credentialId, appSecret, appId, ownerId, ...rest } = made;
    assert.match(appId, /^app_[\w-]{16}$/);
    assert.match(credentialId, /^cred_[\w-]{20}$/);
    assert.match(appSecret, /^[\w-]{43}$/);
    assert.match(ownerId, /^dev_/);
    const createdAt = world().clock.now();
    assert.deepEqual(rest, {
      ...body,
      tenantId: "t_acme",
      status: "UNPUBLISHED",
      disabledReason: null,
      createdAt,
      review: null,
    });

    const read = await client.ok("GET", `apps/${appId}`);
    assert.deepEqual(Object.keys(read), [...APP, "allowedOrigins", "anonymousVisitors", "widget", "scopes", "quota"]);
    assert.deepEqual(read.scopes, await client.ok("GET", `apps/${appId}/scopes`));
    assert.deepEqual(read.quota, await client.ok("GET", `apps/${appId}/quota`));
    assert.deepEqual(
      read.scopes.find(({ scope }: { scope: string }) => scope === "bot.message.send"),
      { scope: "bot.message.send", state: "NONE", risk: "high", defaultGranted: false },
    );
    assert.deepEqual(await scopeStates(client, appId), {
      "bot.profile.read": "GRANTED",
      "bot.installation.read": "GRANTED",
      "bot.message.send": "NONE",
      "bot.message.reply": "NONE",
      "event.bot.message": "NONE",
    });
    const refused = await callWith(world(), made);
    assert.deepEqual([refused.status, refused.json.code], [403, "400005"]);
    const [entry, ...others] = await auditRowsOf(world(), appId);
    assert.deepEqual(others, []);
    assert.deepEqual([entry?.action, entry?.target, entry?.actor_id], ["app.create", `app:${appId}`, ownerId]);
    assert.deepEqual(entry?.after, { ...body, credential: credentialId.slice(-4) });
  });
  for (const [type, granted, size] of [
    ["CUSTOMER_SERVICE", ["customer.agent.read"], 8],
    ["MINI_PROGRAM", [], 0],
  ] as const) {
    test(`a new ${type} application holds ${granted.length} of the ${size} scopes of its type`, async () => {
      const client = await signIn();
      const { appId } = await create(client, { type });
      const states = Object.entries(await scopeStates(client, appId));
      assert.equal(states.length, size);
      assert.deepEqual(
        states.filter(([, state]) => state === "GRANTED").map(([scope]) => scope),
        granted,
      );
    });
  }
  test("the tenant of a new application: the body's, else the header's, else the only one of the developer", async () => {
    const at = async (account: typeof owner, tenantId?: string, header?: string) => {
      const body = { type: "BOT", displayName: "x", ...(tenantId !== undefined && { tenantId }) };
      const client = await signIn(account);
      return await (header === undefined ? client : client.in(header)).call("POST", "apps", body);
    };
    assert.equal((await at(owner)).json.tenantId, "t_acme");
    assert.equal((await at(fellow, "t_acme", "t_other")).json.tenantId, "t_acme");
    assert.equal((await at(fellow, undefined, "t_other")).json.tenantId, "t_other");
    assertConsoleRefused(await at(fellow), 400, "tenant context required");
    assertConsoleRefused(await at(nobody), 400, "tenant context required");
    assertConsoleRefused(await at(owner, "t_other"), 403, "无权访问该租户");
    assertConsoleRefused(await at(owner, "t_nowhere"), 403, "无权访问该租户");
    assertConsoleRefused(await at(owner, undefined, "t_other"), 403, "无权访问该租户");
    assertConsoleRefused(await at(owner, "t_acme", "t_other"), 403, "无权访问该租户");
  });

  const fine = { type: "BOT", displayName: "x", tenantId: "t_acme" };
  for (const [what, wrong, named] of [
    ["no type", { type: undefined }, /type/],
    ["a type that is none", { type: "WEB" }, /type/],
    ["no displayName", { displayName: undefined }, /displayName/],
    ["an empty displayName", { displayName: "" }, /displayName/],
    ["a displayName of blanks", { displayName: " \u3000 " }, /displayName/],
    ["a displayName of 65 characters", { displayName: "x".repeat(65) }, /displayName/],
    ["a displayName of two lines", { displayName: "a\nb" }, /displayName/],
    ["a displayName with NUL", { displayName: "a\u0000" }, /displayName/],
    ["a displayName that turns the direction of writing", { displayName: "a\u202eb" }, /displayName/],
    ["a displayName that is a number", { displayName: 7 }, /displayName/],
    ["an avatar that is a script", { avatar: "javascript:alert(1)" }, /avatar/],
    ["an avatar without a host", { avatar: "https://" }, /avatar/],
    ["an avatar with blanks", { avatar: "https://example.com/ b" }, /avatar/],
    ["an avatar of 2,049 characters", { avatar: `https://e.com/${"x".repeat(2_035)}` }, /avatar/],
    ["a description of 2,001 characters", { description: "x".repeat(2_001) }, /description/],
    ["a description with a lone surrogate", { description: "\ud800" }, /description/],
    ["a tenantId with NUL", { tenantId: "t\u0000" }, /tenantId/],
  ] as const) {
    test(`${what} is refused with a message naming it, on creation and on change`, async () => {
      const client = await signIn();
      assertConsoleRefused(await client.call("POST", "apps", { ...fine, ...wrong }), 400, named);
      if ("displayName" in wrong && wrong.displayName === undefined) return;
      if ("type" in wrong || "tenantId" in wrong) return;
      assertConsoleRefused(await client.call("PATCH", "apps/app_profile", wrong), 400, named);
    });
  }
  test("a developer owns at most 200 applications, also with concurrent creations", async () => {
    const { db } = world().portico.ctx.storage;
    const client = await signIn(fellow);
    const { ownerId } = await client.ok("POST", "apps", { ...fine, displayName: "first of many" });
    const rows = Array.from({ length: 194 }, (_, n) => ({
      app_id: `app_many_${n}`,
      type: "BOT" as const,
      tenant_id: "t_acme",
      owner_id: ownerId,
      status: "UNPUBLISHED" as const,
      display_name: "many",
      avatar: "",
      per_minute: null,
      per_day: null,
      concurrent: null,
      created_at: 1,
    }));
    await world().portico.ctx.storage.write(async (tx) => void (await tx.insertInto("apps").values(rows).execute()));
    const owned = async () =>
      (await db.selectFrom("apps").select("app_id").where("owner_id", "=", ownerId).execute()).length;
    const before = await owned();
    const answers = await atOnce(world(), 12, (url) => client.at({ url }).call("POST", "apps", fine));
    const made = 200 - before;
    assert.deepEqual(statuses(answers), [...Array(made).fill(200), ...Array(12 - made).fill(409)]);
    assert.equal(await owned(), 200);
  });

  test("the list contains the applications of all the developer's tenants, or of the given one, newest first", async () => {
    const found = async (keyword: string, account: typeof owner, header?: string) => {
      const client = await signIn(account);
      const { items } = await (header === undefined ? client : client.in(header)).ok("GET", `apps?keyword=${keyword}`);
      return items.map(({ appId }: { appId: string }) => appId);
    };
    const ids = (account: typeof owner, header?: string) => found("Bot%20app_bot", account, header);
    const other = async (account: typeof owner, header?: string) => (await found("app_other", account, header)).length;
    assert.deepEqual(await ids(owner), ["app_bot"]);
    assert.deepEqual(await ids(fellow), ["app_bot"]);
    assert.deepEqual(await ids(fellow, "t_acme"), ["app_bot"]);
    assert.deepEqual(await ids(fellow, "t_other"), []);
    assert.deepEqual(await ids(stranger), []);
    assert.deepEqual(await ids(nobody), []);
    assert.deepEqual([await other(fellow), await other(fellow, "t_acme"), await other(owner)], [1, 0, 0]);
    assertConsoleRefused(await (await signIn()).in("t_other").get("apps"), 403, "无权访问该租户");

    const client = await signIn();
    world().clock.turn(1_000);
    const { appId } = await create(client, { displayName: "The newest" });
    const [first] = (await client.ok("GET", "apps")).items;
    assert.deepEqual(Object.keys(first), APP);
    assert.equal(first.appId, appId);
  });
  test("the list is filtered by status, type and keyword, and paged", async () => {
    const client = await signIn();
    for (let n = 0; n < 3; n++) await create(client, { type: "MINI_PROGRAM", displayName: `Paged ${n}` });
    const list = (query: string) => client.ok("GET", `apps?${query}`);
    const all = await list("keyword=pAGED");
    assert.deepEqual([all.total, all.page, all.pageSize, all.items.length], [3, 1, 20, 3]);
    const pages = [await list("keyword=paged&pageSize=2"), await list("keyword=paged&pageSize=2&page=2")];
    assert.deepEqual(
      pages.flatMap(({ items }) => items),
      all.items,
    );
    assert.equal((await list("keyword=paged&page=1000000")).items.length, 0);
    assert.equal((await list("keyword=paged&type=BOT")).total, 0);
    assert.equal((await list("keyword=paged&type=MINI_PROGRAM&status=UNPUBLISHED")).total, 3);
    assert.equal((await list("keyword=paged&status=ACTIVE")).total, 0);
    for (const wrong of [
      "page=0",
      "pageSize=101",
      "pageSize=x",
      "status=LIVE",
      "type=bot",
      `keyword=${"x".repeat(65)}`,
    ]) {
      assertConsoleRefused(await client.get(`apps?${wrong}`), 400, new RegExp(wrong.split("=")[0] ?? ""));
    }
  });
  test("a keyword is literal: wildcards have no meaning", async () => {
    const client = await signIn(operator);
    const found = async (keyword: string) =>
      (await client.ok("GET", `operator/apps?keyword=${encodeURIComponent(keyword)}&pageSize=100`)).items.map(
        ({ appId }: { appId: string }) => appId,
      );
    for (const keyword of ["%", "0%_", "É", "100%_É"]) assert.deepEqual(await found(keyword), ["app_other"], keyword);
    for (const keyword of ["\\", "é", "1__%", "'"]) assert.deepEqual(await found(keyword), [], keyword);
    assert.deepEqual(await found("PP_OTHER"), ["app_other"]);
  });

  test("a change keeps absent fields, and applies to signed calls at once, in other processes within a second", async () => {
    const client = await signIn();
    const second = engine.name === "postgres" ? await world().start() : world().portico;
    const nameAt = async (url: string) => {
      const answer = await callWith(world(), credentials, url);
      return answer.json.value.items[0].displayName;
    };
    const credentials = {
      appId: "app_profile",
      credentialId: "cred_app_profile",
      appSecret: "the secret of app_profile ✓",
    };
    assert.equal(await nameAt(world().url), "Bot app_profile");
    assert.equal(await nameAt(second.url), "Bot app_profile");
    const changed = await client.ok("PATCH", "apps/app_profile", { displayName: "Renamed" });
    assert.deepEqual(Object.keys(changed), [...APP, "allowedOrigins", "anonymousVisitors", "widget"]);
    assert.equal(await nameAt(world().url), "Renamed");
    world().clock.turn(1_000);
    assert.equal(await nameAt(second.url), "Renamed");

    await client.ok("PATCH", "apps/app_profile", { avatar: "http://example.com/a.png", description: "Builds" });
    await client.ok("PATCH", "apps/app_profile", { avatar: "http://example.com/a.png" });
    const emptied = await client.ok("PATCH", "apps/app_profile", { avatar: "" });
    assert.deepEqual([emptied.displayName, emptied.avatar, emptied.description], ["Renamed", "", "Builds"]);
    const entries = await auditRowsOf(world(), "app_profile");
    assert.deepEqual(
      entries.map(({ action, before, after }) => [action, before.displayName, after.displayName, after.avatar]),
      [
        ["app.update", "Bot app_profile", "Renamed", ""],
        ["app.update", "Renamed", "Renamed", "http://example.com/a.png"],
        ["app.update", "Renamed", "Renamed", ""],
      ],
    );
  });

  test("scopes are requested once, kept while requested, and can be given up", async () => {
    const client = await signIn();
    const ask = (...scopes: string[]) => client.ok("POST", "apps/app_scopes/scopes", { scopes });
    const all = await ask("bot.message.send", "bot.message.send", "bot.profile.read");
    assert.deepEqual(all, await client.ok("GET", "apps/app_scopes/scopes"));
    await ask("bot.message.send");
    await ask("event.bot.message");
    const states = await scopeStates(client, "app_scopes");
    assert.equal(states["bot.profile.read"], "GRANTED");
    assert.equal(states["bot.message.send"], "REQUESTED");
    assert.equal(states["event.bot.message"], "REQUESTED");
    assert.equal((await client.ok("GET", "apps/app_scopes")).review, null);

    await client.ok("DELETE", "apps/app_scopes/scopes/bot.message.send");
    assert.equal((await scopeStates(client, "app_scopes"))["bot.message.send"], "NONE");
    const drop = (scope: string) => client.call("DELETE", `apps/app_scopes/scopes/${scope}`);
    assertConsoleRefused(await drop("bot.message.send"), 404);
    assertConsoleRefused(await drop("bot.profile.read"), 409);
    assertConsoleRefused(await drop("customer.agent.read"), 404);
    assertConsoleRefused(await drop("bot.everything"), 400);
    assertConsoleRefused(await drop("%00"), 400);
    assert.deepEqual(
      (await auditRowsOf(world(), "app_scopes")).map(({ action, target }) => [action, target]),
      [
        ["scope.request", "app:app_scopes"],
        ["scope.request", "app:app_scopes"],
        ["scope.drop", "scope:bot.message.send"],
      ],
    );
  });
  for (const [what, body, status, named] of [
    [
      "a scope of another type",
      { scopes: ["bot.message.send", "customer.message.read"] },
      403,
      /customer.message.read/,
    ],
    ["a scope that is none", { scopes: ["bot.everything"] }, 400, /scopes/],
    ["no scopes", {}, 400, /scopes/],
    ["none of them", { scopes: [] }, 400, /scopes/],
    ["51 of them", { scopes: Array(51).fill("bot.message.send") }, 400, /scopes/],
    ["one that is a number", { scopes: [1] }, 400, /scopes/],
  ] as const) {
    test(`requesting ${what} is refused and changes nothing`, async () => {
      const client = await signIn();
      const before = await scopeStates(client, "app_scopes");
      assertConsoleRefused(await client.call("POST", "apps/app_scopes/scopes", body), status, named);
      assert.deepEqual(await scopeStates(client, "app_scopes"), before);
    });
  }
  test("giving up a scope takes effect on signed calls at once", async () => {
    const client = await signIn();
    const { appId } = ownedApp("app_bot");
    const send = () => call(world(), appId, { method: "POST", target: "/api/open/v2/bot/messages", body: "{}" });
    assert.equal((await send()).json.code, "400006");
    await client.ok("DELETE", `apps/${appId}/scopes/bot.message.send`);
    assert.equal((await send()).json.code, "400007");
  });

  test("the quota shows the effective limits, their origin and the usage; the operator sets it", async () => {
    const [client, admin] = [await signIn(), await signIn(operator)];
    const read = () => client.ok("GET", "apps/app_quota/quota");
    const set = (body: unknown) => admin.call("PUT", "operator/apps/app_quota/quota", body);
    const isDefault = { perMinute: true, perDay: true, concurrent: true };
    const defaults = { perMinute: 6_000, perDay: 100_000, concurrent: 20, isDefault, usedToday: 0 };
    assert.deepEqual(await read(), defaults);
    assert.deepEqual(await admin.ok("GET", "operator/apps/app_quota/quota"), defaults);

    const own = await set({ perMinute: 2, perDay: null, concurrent: 7 });
    assert.equal(own.status, 200, own.text);
    assert.deepEqual(own.json, {
      perMinute: 2,
      perDay: 100_000,
      concurrent: 7,
      isDefault: { perMinute: false, perDay: true, concurrent: false },
      usedToday: 0,
    });
    assert.deepEqual(await read(), own.json);
    const codes: string[] = [];
    for (let n = 0; n < 3; n++)
      codes.push((await call(world(), "app_quota", { target: "/api/open/v2/bot/apps" })).json.code);
    assert.deepEqual(codes, ["000000", "000000", "429001"]);
    for (const portico of world().all) await portico.ctx.dayLedger.close();
    assert.equal((await read()).usedToday, 2);

    await set({ perMinute: 2, perDay: null, concurrent: 7 });
    await set({ perMinute: null, perDay: null, concurrent: null });
    assert.deepEqual((await read()).isDefault, isDefault);
    assert.deepEqual(
      (await auditRowsOf(world(), "app_quota")).map(({ action, before, after }) => [
        action,
        before.perMinute,
        after.perMinute,
      ]),
      [
        ["quota.set", null, 2],
        ["quota.set", 2, null],
      ],
    );
    for (const wrong of [
      { perMinute: 0 },
      { perDay: -1 },
      { concurrent: 1.5 },
      { perDay: "1" },
      { perDay: undefined },
    ]) {
      const answer = await set({ perMinute: null, perDay: null, concurrent: null, ...wrong });
      assertConsoleRefused(answer, 400, new RegExp(Object.keys(wrong)[0] ?? ""));
    }
  });
});
