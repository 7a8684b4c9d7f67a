import assert from "node:assert/strict";
import { operatedAcme, operator, otherOperator } from "./support/app-life.ts";
import {
  assertConsoleRefused,
  ConsoleClient,
  consoleCall,
  logIn,
  ownedApp,
  refreshTokenOf,
} from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { onBothEngines } from "./support/engines.ts";
import { developerIdOf, lastEntry } from "./support/operator.ts";
import { suiteWorld } from "./support/world.ts";

const PASSWORD = "the password of a developer";
let phones = 13_700_000_000;
/** A new developer. */
const newcomer = (other: object = {}) => ({
  phone: `${++phones}`,
  channelId: 1,
  name: `Newcomer ${phones}`,
  password: PASSWORD,
  ...other,
});

onBothEngines("operator: developers", (engine, test) => {
  const world = suiteWorld(engine, operatedAcme(ownedApp("app_bot")));
  const asOperator = () => ConsoleClient.logIn(world(), operator);
  const refresh = (token: string) =>
    consoleCall(world(), "POST", "auth/refresh", { headers: { cookie: `open_refresh_token=${token}` } });

  test("a new developer logs in and lists the tenant's applications; the password is shown nowhere", async () => {
    const client = await asOperator();
    const body = newcomer({ tenants: ["t_other", "t_acme", "t_acme"] });
    const { password: _, ...shown } = body;
    const developer = await client.ok("POST", "operator/developers", body);
    const { developerId } = developer;
    assert.match(developerId, /^dev_[0-9a-f]{24}$/);
    const tenants = [
      { tenantId: "t_acme", name: "Acme" },
      { tenantId: "t_other", name: "Other" },
    ];
    const expected = { ...shown, developerId, operator: false, disabled: false };
    assert.deepEqual(developer, { ...expected, secondFactor: false, tenants });
    const { action, target, before, after } = await lastEntry(client);
    assert.deepEqual([action, target, before], ["developer.create", `developer:${developerId}`, null]);
    assert.deepEqual(after, { ...expected, tenants: ["t_acme", "t_other"], password: "set" });
    assert.equal((await logIn(world(), body)).json.developerId, developerId);
    assert.equal((await (await ConsoleClient.logIn(world(), body)).get("apps/app_bot/subscriptions")).status, 200);

    const listed = await client.ok("GET", `operator/developers?keyword=${body.phone}`);
    assert.deepEqual(listed, { items: [developer], total: 1, page: 1, pageSize: 20 });
    assert.ok(!JSON.stringify(await dumpTables(world())).includes(PASSWORD));
    assert.ok(!world().logLines.some((line) => line.includes(PASSWORD)));
  });
  test("a phone number is unique within its channel, also with concurrent calls; another channel may have it too", async () => {
    const client = await asOperator();
    const body = newcomer();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.call("POST", "operator/developers", body)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
    assertConsoleRefused(await client.call("POST", "operator/developers", body), 409, "该渠道下手机号已存在");
    await client.ok("POST", "operator/developers", { ...body, channelId: 7 });
    assert.equal((await client.ok("GET", `operator/developers?keyword=${body.phone}`)).total, 2);
  });
  test("the last update decides the tenants, and access changes at once", async () => {
    const client = await asOperator();
    const body = newcomer({ tenants: ["t_acme"] });
    const { developerId } = await client.ok("POST", "operator/developers", body);
    const developer = await ConsoleClient.logIn(world(), body);
    const path = `operator/developers/${developerId}`;
    const moved = await client.ok("PATCH", path, { tenants: ["t_other"], name: "Moved" });
    assert.deepEqual(moved.tenants, [{ tenantId: "t_other", name: "Other" }]);
    const entry = await lastEntry(client);
    assert.deepEqual(entry.before, { name: body.name, tenants: ["t_acme"] });
    assert.deepEqual(entry.after, { name: "Moved", tenants: ["t_other"] });
    assertConsoleRefused(await developer.get("apps/app_bot/subscriptions"), 404);
    assertConsoleRefused(await client.call("PATCH", path, { tenants: ["t_acme", "t_no"] }), 400, "租户不存在: t_no");
    await client.ok("PATCH", path, { tenants: ["t_other"], operator: false, disabled: false });
    assert.deepEqual(await lastEntry(client), entry);
    assertConsoleRefused(await client.call("PATCH", "operator/developers/dev_no", {}), 404, "开发者不存在");
  });
  for (const [what, change, after] of [
    ["a new password", { password: "another password" }, { password: "changed" }],
    ["being disabled", { disabled: true }, { disabled: true }],
  ] as const) {
    test(`${what} ends all logins at once in every process`, async () => {
      const there = engine.name === "postgres" ? await world().start() : world().portico;
      const client = await asOperator();
      const body = newcomer({ tenants: ["t_acme"] });
      const { developerId } = await client.ok("POST", "operator/developers", body);
      const [first, second] = [await logIn(world(), body), await logIn(there, body)];
      await client.ok("PATCH", `operator/developers/${developerId}`, change);
      for (const { json } of [first, second]) {
        const headers = { authorization: `Bearer ${json.accessToken}` };
        assertConsoleRefused(await consoleCall(there, "GET", "apps/app_bot/subscriptions", { headers }), 401);
      }
      assertConsoleRefused(await refresh(refreshTokenOf(first)), 401);
      assertConsoleRefused(await logIn(there, body), 401, "手机号或密码错误");
      assert.deepEqual((await lastEntry(client)).after, after);
    });
  }
  test("a developer who is enabled again can log in; earlier logins stay ended", async () => {
    const client = await asOperator();
    const body = newcomer({ tenants: ["t_acme"] });
    const { developerId } = await client.ok("POST", "operator/developers", body);
    const before = await logIn(world(), body);
    await client.ok("PATCH", `operator/developers/${developerId}`, { disabled: true });
    assert.equal((await lastEntry(client)).action, "developer.disable");
    await client.ok("PATCH", `operator/developers/${developerId}`, { disabled: false });
    assert.equal((await lastEntry(client)).action, "developer.enable");
    assertConsoleRefused(await refresh(refreshTokenOf(before)), 401);
    assert.equal((await logIn(world(), body)).status, 200);
  });
  for (const [what, change] of [
    ["given a new password", { password: "another password" }],
    ["disabled", { disabled: true }],
  ] as const) {
    test(`a developer who is ${what} during a login does not stay logged in`, async (t) => {
      const client = await asOperator();
      const body = newcomer();
      const { developerId } = await client.ok("POST", "operator/developers", body);
      const { passwords } = world().portico.ctx;
      const verify = passwords.verify.bind(passwords);
      t.mock.method(passwords, "verify", async (...given: Parameters<typeof verify>) => {
        const isRight = await verify(...given);
        await client.ok("PATCH", `operator/developers/${developerId}`, change);
        return isRight;
      });
      assertConsoleRefused(await logIn(world(), body), 401);
    });
  }

  test("an operator's own password changes with the present one only, also together with other changes", async () => {
    const client = await asOperator();
    const { developerId } = await client.ok("GET", "me");
    for (const body of [{ password: "another password" }, { password: operator.password, name: "Renamed" }]) {
      const answer = await client.call("PATCH", `operator/developers/${developerId}`, body);
      assertConsoleRefused(answer, 403, "不能在此重置自己的密码,请使用当前密码修改");
    }
    assert.notEqual((await client.ok("GET", "me")).name, "Renamed");
    assert.equal((await logIn(world(), operator)).status, 200);
  });
  test("operators can neither disable nor demote themselves, also together with other changes", async () => {
    const client = await asOperator();
    const path = `operator/developers/${await developerIdOf(client, operator.phone)}`;
    assertConsoleRefused(await client.call("PATCH", path, { disabled: true }), 403, "不能停用自己");
    assertConsoleRefused(
      await client.call("PATCH", path, { operator: false, name: "x" }),
      403,
      "不能取消自己的运营权限",
    );
    assert.equal((await client.ok("PATCH", path, { operator: true, name: "The operator" })).name, "The operator");
  });
  for (const [what, change] of [
    ["demote", { operator: false }],
    ["disable", { disabled: true }],
  ] as const) {
    test(`of two operators who ${what} each other concurrently, one remains`, async () => {
      const there = engine.name === "postgres" ? await world().start() : world().portico;
      for (let round = 0; round < 5; round++) {
        const [one, two] = [await asOperator(), (await ConsoleClient.logIn(world(), otherOperator)).at(there)];
        const oneId = await developerIdOf(one, operator.phone);
        const twoId = await developerIdOf(one, otherOperator.phone);
        const answers = await Promise.all([
          one.call("PATCH", `operator/developers/${twoId}`, change),
          two.call("PATCH", `operator/developers/${oneId}`, change),
        ]);
        const won = answers.findIndex(({ status }) => status === 200);
        assert.notEqual(won, -1);
        assert.ok([401, 403].includes(answers[1 - won]?.status ?? 0), answers[1 - won]?.text);
        const [winner, loserId] = won === 0 ? [one, twoId] : [two, oneId];
        await winner.ok("PATCH", `operator/developers/${loserId}`, { operator: true, disabled: false });
      }
    });
  }
  test("a promotion to operator and a demotion take effect at once", async () => {
    const client = await asOperator();
    const body = newcomer();
    const { developerId } = await client.ok("POST", "operator/developers", body);
    const developer = await ConsoleClient.logIn(world(), body);
    assertConsoleRefused(await developer.get("operator/tenants"), 403);
    await client.ok("PATCH", `operator/developers/${developerId}`, { operator: true });
    assert.equal((await developer.get("operator/tenants")).status, 200);
    await client.ok("PATCH", `operator/developers/${developerId}`, { operator: false });
    assertConsoleRefused(await developer.get("operator/tenants"), 403);
  });
  for (const [what, body, named] of [
    ["no phone", { phone: undefined }, "phone"],
    ["a phone with blanks", { phone: "138 0000" }, "phone"],
    ["no channelId", { channelId: undefined }, "channelId"],
    ["a channelId wider than the column", { channelId: 2 ** 31 }, "channelId"],
    ["no name", { name: undefined }, "name"],
    ["no password", { password: undefined }, "password"],
    ["a password of 7 characters", { password: "1234567" }, "password长度不能少于8"],
    ["tenants that are no list", { tenants: "t_acme" }, "tenants"],
    ["a tenant that there is not", { tenants: ["t_no"] }, "t_no"],
    ["an operator that is no boolean", { operator: 1 }, "operator"],
  ] as const) {
    test(`${what}: 400 naming it`, async () => {
      const answer = await (await asOperator()).call("POST", "operator/developers", newcomer(body));
      assertConsoleRefused(answer, 400, new RegExp(named));
    });
  }
});
