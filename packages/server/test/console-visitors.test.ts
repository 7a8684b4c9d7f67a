import assert from "node:assert/strict";
import type { DeskHint } from "../src/domain/customer-service/desk-hint.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { auditOf } from "./support/audit.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, fellow, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { serviceApp, serviceCall, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_shop";
const visitor = (visitorId: string, other: object = {}) => ({ visitorId, thirdUserId: `c-${visitorId}`, ...other });

onBothEngines("console: visitors", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      serviceApp(APP),
      serviceApp("app_list", {
        visitors: [
          visitor("v_1", { nickname: "Ann" }),
          visitor("v_2", { nickname: "李安", status: 0 }),
          visitor("v_3", { nickname: "100%_a" }),
        ],
      }),
      serviceApp("app_race", { visitors: [visitor("v_race")] }),
      ownedApp("app_bot"),
    ),
  );
  const owner = () => ConsoleClient.logIn(world());
  const path = (visitorId: string, appId = APP) => `apps/${appId}/visitors/${visitorId}`;
  const setStatus = async (visitorId: string, status: unknown, appId = APP) =>
    (await owner()).call("PATCH", path(visitorId, appId), { status });
  const say = (visitorId: string) => serviceCall(world(), APP, "message/send", { visitorId, content: "hi" });

  test("visitors are listed with their data", async () => {
    const profile = { nickname: "Bob", avatar: "https://a.example/b.png", phone: "139", email: "b@c.example" };
    const { visitorId } = await WidgetClient.open(world(), APP, "c-9", { ...profile, extra: { big: 1 } });
    const client = await ConsoleClient.logIn(world(), fellow);
    const { items, ...page } = await client.ok("GET", `apps/${APP}/visitors`);
    assert.deepEqual(page, { total: 1, page: 1, pageSize: 20 });
    const [{ lastSeenAt: _, ...shown }] = items;
    const createdAt = world().clock.now();
    const expected = {
      visitorId,
      thirdUserId: "c-9",
      ...profile,
      extra: { big: 1 },
      status: 1,
      online: false,
      createdAt,
    };
    assert.deepEqual(shown, expected);
  });
  for (const [query, expected] of [
    ["", ["v_3", "v_2", "v_1"]],
    ["status=0", ["v_2"]],
    ["status=1", ["v_3", "v_1"]],
    ["keyword=ann", ["v_1"]],
    ["keyword=李", ["v_2"]],
    ["keyword=c-v_3", ["v_3"]],
    ["keyword=V_2", ["v_2"]],
    ["keyword=%25_", ["v_3"]],
    ["keyword=nobody", []],
    ["keyword=v_&status=1&pageSize=1&page=2", ["v_1"]],
    ["page=9", []],
  ] as const) {
    test(`the list with ${query || "no filter"}`, async () => {
      const { items } = await (await owner()).ok(
        "GET",
        `apps/app_list/visitors?${encodeURI(query).replace(/%2525/, "%25")}`,
      );
      assert.deepEqual(
        items.map(({ visitorId }: { visitorId: string }) => visitorId),
        expected,
      );
    });
  }
  for (const query of ["status=2", "status=x", "page=0", "pageSize=101", `keyword=${"x".repeat(65)}`, "keyword=%00"]) {
    test(`${query.slice(0, 20)} is refused: 400`, async () => {
      assertConsoleRefused(await (await owner()).get(`apps/app_list/visitors?${query}`), 400);
    });
  }
  test("a disabled visitor cannot send, loses the tokens, and the streams are notified at once", async () => {
    const one = await WidgetClient.open(world(), APP, "c-1");
    const two = await WidgetClient.open(world(), APP, "c-1");
    const { visitorId } = one;
    const hints: [string, DeskHint][] = [];
    const unlisten = world().portico.ctx.deskLive.listen((appId, hint) => hints.push([appId, hint]));
    const answer = await setStatus(visitorId, 0);
    unlisten();
    assert.deepEqual([answer.status, answer.json.visitorId, answer.json.status], [200, visitorId, 0]);
    // A message through Redis also returns to its sender.
    assert.ok(hints.length > 0);
    for (const hint of hints) assert.deepEqual(hint, [APP, { type: "visitor", visitorId }]);
    assertRefused(await say(visitorId), 403, "400101", "访客已禁用");
    for (const widget of [one, two]) {
      assertRefused(await widget.call("session"), 401, "400001");
      assertRefused(await widget.post("messages", { content: "hi" }), 401, "400001");
    }
    const { db } = world().portico.ctx.storage;
    const left = db.selectFrom("visitor_tokens").selectAll().where("visitor_id", "=", visitorId);
    assert.deepEqual(await left.execute(), []);
    assertRefused(await serviceCall(world(), APP, "visitor/auth", { thirdUserId: "c-1" }), 403, "400101");
  });
  test("a visitor who is enabled again needs new tokens, and can send", async () => {
    const widget = await WidgetClient.open(world(), APP, "c-2");
    const { visitorId } = widget;
    await setStatus(visitorId, 0);
    assert.equal((await setStatus(visitorId, 1)).json.status, 1);
    assertRefused(await widget.call("session"), 401, "400001");
    assertSuccess(await say(visitorId));
    await (await WidgetClient.open(world(), APP, "c-2")).ok("session");
  });
  test("each change is audited; a call that changes nothing is not", async () => {
    const widget = await WidgetClient.open(world(), APP, "c-3");
    const before = (await auditOf(world(), APP)).length;
    for (const status of [1, 0, 0, 1, 1]) assert.equal((await setStatus(widget.visitorId, status)).status, 200);
    const target = `visitor:${widget.visitorId}`;
    assert.deepEqual(
      (await auditOf(world(), APP)).slice(before).map(({ at: _, actor: __, address: ___, ...entry }) => entry),
      [
        { action: "visitor.disable", target, tenantId: "t_acme", before: { status: 1 }, after: { status: 0 } },
        { action: "visitor.enable", target, tenantId: "t_acme", before: { status: 0 }, after: { status: 1 } },
      ],
    );
  });
  test("an unknown visitor, or another application's, is not found; an invalid status is refused", async () => {
    assertConsoleRefused(await setStatus("v_1", 0), 404, "访客不存在");
    assertConsoleRefused(await setStatus("v_nobody", 0), 404, "访客不存在");
    assertConsoleRefused(await setStatus("v%00", 0), 400);
    for (const status of [2, -1, 0.5, "0", true, null, undefined]) {
      assertConsoleRefused(await setStatus("v_1", status, "app_list"), 400);
    }
  });
  test("an application of another type has no visitors: 409", async () => {
    const message = "只有CUSTOMER_SERVICE类型的应用有访客";
    assertConsoleRefused(await (await owner()).get("apps/app_bot/visitors"), 409, message);
    assertConsoleRefused(await setStatus("v_1", 0, "app_bot"), 409, message);
  });
  test("of 20 concurrent calls that disable a visitor one succeeds", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => setStatus("v_race", 0, "app_race")));
    for (const { status, json } of answers) assert.deepEqual([status, json.status], [200, 0]);
    assert.equal((await auditOf(world(), "app_race")).length, 1);
  });
  test("tokens issued while the visitor is being disabled do not stay valid", async () => {
    const { visitorId } = await WidgetClient.open(world(), APP, "c-4");
    const ask = () => serviceCall(world(), APP, "visitor/auth", { thirdUserId: "c-4" });
    const [answers] = await Promise.all([Promise.all(Array.from({ length: 20 }, ask)), setStatus(visitorId, 0)]);
    for (const { status } of answers) assert.ok(status === 200 || status === 403);
    const { db } = world().portico.ctx.storage;
    const left = db.selectFrom("visitor_tokens").selectAll().where("visitor_id", "=", visitorId);
    assert.deepEqual(await left.execute(), []);
  });
});
