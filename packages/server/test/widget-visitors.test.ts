import assert from "node:assert/strict";
import { sql } from "kysely";
import { endVisitorKey } from "../src/domain/customer-service/visitor-keys.ts";
import { lockEnabledVisitor, setVisitorStatus } from "../src/domain/customer-service/visitor-store.ts";
import { endVisitorTokens } from "../src/domain/customer-service/visitor-tokens.ts";
import { assertRefused, assertSuccess } from "./support/assert-answer.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, ownedApp } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { type Answer, send } from "./support/http.ts";
import { SITE, serviceApp, WIDGET, WidgetClient } from "./support/widget.ts";
import { suiteWorld } from "./support/world.ts";

const APP = "app_shop";
const OTHER_SITE = "https://other.example";
const HOUR_MS = 3_600_000;

function assertNotShared({ headers }: Answer): void {
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.startsWith("access-control-")),
    [],
  );
}

onBothEngines("widget: visitors without a name", (engine, test) => {
  const world = suiteWorld(
    engine,
    consoleAcme(
      serviceApp(APP),
      serviceApp("app_named"),
      serviceApp("app_other", { profile: { allowedOrigins: [OTHER_SITE] } }),
      serviceApp("app_off", { status: "DISABLED" }),
      ownedApp("app_bot"),
    ),
  );
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    send(`${world().url}${WIDGET}/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", origin: SITE, ...headers },
    });
  const come = (other: object = {}, headers: Record<string, string> = {}) =>
    post("visitors", { appId: APP, ...other }, headers);
  const comeIn = async (other: object = {}) => {
    const answer = await come(other);
    assertSuccess(answer);
    return answer.json.value;
  };
  const ask = (path: string, token: string) =>
    send(`${world().url}${WIDGET}/${path}`, { headers: { authorization: `Bearer ${token}`, origin: SITE } });
  const say = (token: string, content: string) =>
    post("messages", { content }, { authorization: `Bearer ${token}` }).then(assertSuccess);
  const allow = async (anonymousVisitors: boolean, appId = APP) =>
    (await ConsoleClient.logIn(world())).ok("PATCH", `apps/${appId}`, { anonymousVisitors });
  /** The allowances of an address fill up again. */
  const later = () => world().clock.turn(HOUR_MS);

  test("none come until the owner allows it", async () => {
    const refused = await come();
    assertRefused(refused, 403, "400008", "该应用不接待匿名访客");
    assert.equal(refused.headers["access-control-allow-origin"], SITE);
    assert.equal((await allow(true)).anonymousVisitors, true);
    const { visitorId, isNew, visitorToken } = await comeIn();
    assert.equal(isNew, true);
    const { visitor } = (await ask("session", visitorToken)).json.value;
    assert.equal(visitor.visitorId, visitorId);
    assert.match(visitor.nickname, /^Visitor [0-9A-F]{4}$/);
    await allow(false);
    assertRefused(await come(), 403, "400008");
    await allow(true);
  });
  test("the key gives the same visitor with their history, after the token has expired and when no new ones may come", async () => {
    const first = await comeIn();
    await say(first.visitorToken, "hello");
    world().clock.turn(3 * HOUR_MS);
    assertRefused(await ask("session", first.visitorToken), 401, "400001");
    await allow(false);
    const again = await comeIn({ visitorKey: first.visitorKey });
    await allow(true);
    assert.deepEqual([again.visitorId, again.isNew, again.visitorKey], [first.visitorId, false, first.visitorKey]);
    const { items } = (await ask("messages", again.visitorToken)).json.value;
    assert.deepEqual(
      items.map(({ content }: { content: string }) => content),
      ["hello"],
    );
  });
  test("the database has neither token nor key, and a key is of one application", async () => {
    later();
    const { visitorKey, visitorToken } = await comeIn();
    const { db } = world().portico.ctx.storage;
    const kept = JSON.stringify([
      await db.selectFrom("visitor_keys").selectAll().execute(),
      await db.selectFrom("visitor_tokens").selectAll().execute(),
    ]);
    assert.ok(!kept.includes(visitorKey) && !kept.includes(visitorToken));
    assertRefused(await post("visitors", { appId: "app_named", visitorKey }), 401, "400001", "访客密钥无效或已过期");
    assertRefused(await come({ visitorKey: "x" }), 401, "400001", "访客密钥无效或已过期");
  });
  test("a key that was not used for 180 days is forgotten", async () => {
    later();
    const { visitorKey } = await comeIn();
    world().clock.turn(179 * 24 * HOUR_MS);
    assert.equal((await comeIn({ visitorKey })).isNew, false);
    world().clock.turn(181 * 24 * HOUR_MS);
    assertRefused(await come({ visitorKey }), 401, "400001");
  });
  test("a disabled visitor is told so by their key, which opens nothing any more once they are enabled", async () => {
    later();
    const { visitorId, visitorKey, visitorToken } = await comeIn();
    const owner = await ConsoleClient.logIn(world());
    await owner.ok("PATCH", `apps/${APP}/visitors/${visitorId}`, { status: 0 });
    assertRefused(await ask("session", visitorToken), 401, "400001");
    assertRefused(await come({ visitorKey }), 403, "400101", "访客已禁用");
    await owner.ok("PATCH", `apps/${APP}/visitors/${visitorId}`, { status: 1 });
    assertRefused(await come({ visitorKey }), 401, "400001");
    assertRefused(await ask("session", visitorToken), 401, "400001");
  });
  test("signing out ends every token and the key: what somebody has kept opens nothing", async () => {
    later();
    const first = await comeIn();
    const second = await comeIn({ visitorKey: first.visitorKey });
    assertSuccess(await post("auth/logout", {}, { authorization: `Bearer ${second.visitorToken}` }));
    for (const { visitorToken } of [first, second]) {
      assertRefused(await ask("session", visitorToken), 401, "400001");
      const replayed = await post("messages", { content: "x" }, { authorization: `Bearer ${visitorToken}` });
      assertRefused(replayed, 401, "400001");
    }
    assertRefused(await come({ visitorKey: first.visitorKey }), 401, "400001");
  });
  if (engine.name === "postgres") {
    for (const [name, isDisabledMeanwhile] of [
      ["signs out while a token is being issued by the key: the call is refused", false],
      ["is disabled while signing out elsewhere: the key stays, to tell so", true],
    ] as const) {
      test(`a visitor ${name}`, async () => {
        later();
        const { visitorId, visitorKey, visitorToken } = await comeIn();
        const { storage } = world().portico.ctx;
        const [held, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        // As another process does: not in a lane that the call would wait in.
        const elsewhere = storage.write(async (tx) => {
          await lockEnabledVisitor(tx, visitorId);
          held.resolve();
          await goOn.promise;
          if (isDisabledMeanwhile) await setVisitorStatus(tx, APP, visitorId, 0);
          await endVisitorTokens(tx, visitorId);
          if (!isDisabledMeanwhile) await endVisitorKey(tx, visitorId);
        }, "elsewhere");
        await held.promise;
        const answer = isDisabledMeanwhile
          ? post("auth/logout", {}, { authorization: `Bearer ${visitorToken}` })
          : come({ visitorKey });
        const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        while ((await waiting.execute(storage.db)).rows[0]?.n === 0) await new Promise((done) => setImmediate(done));
        goOn.resolve();
        await elsewhere;
        if (isDisabledMeanwhile) assertSuccess(await answer);
        else assertRefused(await answer, 401, "400001", "访客密钥无效或已过期");
        const tokens = storage.db.selectFrom("visitor_tokens").where("visitor_id", "=", visitorId).selectAll();
        assert.deepEqual(await tokens.execute(), []);
        if (isDisabledMeanwhile) assertRefused(await come({ visitorKey }), 403, "400101", "访客已禁用");
      });
    }
  }
  test("a visitor of the integrator's signs out alike, and comes back with another token", async () => {
    const widget = await WidgetClient.open(world(), APP, "c-1");
    await widget.ok("auth/logout", {});
    assertRefused(await widget.call("session"), 401, "400001");
    assert.equal((await WidgetClient.open(world(), APP, "c-1")).visitorId, widget.visitorId);
  });
  for (const [name, origin] of [
    ["a site that nobody allows", "https://nowhere.example"],
    ["a site that another application allows", OTHER_SITE],
    ["a page without an origin", "null"],
  ] as const) {
    test(`from ${name} nobody comes, and the page can read nothing`, async () => {
      later();
      for (const answer of [
        await come({}, { origin }),
        await send(`${world().url}${WIDGET}/apps/${APP}`, { headers: { origin } }),
      ]) {
        assertRefused(answer, 403, "400008", "该网站未被允许使用此应用的访客组件");
        assertNotShared(answer);
      }
    });
  }
  test("a call that names no site makes no visitor, nor does a frame of the service's own", async () => {
    const answer = await send(`${world().url}${WIDGET}/visitors`, {
      method: "POST",
      body: JSON.stringify({ appId: APP }),
      headers: { "content-type": "application/json" },
    });
    assertRefused(answer, 403, "400008");
    const { origin } = new URL(world().portico.ctx.config.baseUrl ?? "");
    assertRefused(await come({}, { origin }), 403, "400008");
    assertSuccess(await come({ site: SITE }, { origin }));
  });
  test("a frame of the service's own makes none for a site that is not allowed, nor where no site is", async () => {
    later();
    const { origin } = new URL(world().portico.ctx.config.baseUrl ?? "");
    assertSuccess(await come({ site: SITE }, { origin }));
    const { visitorKey } = await comeIn();
    for (const site of [OTHER_SITE, "", "null", "x"]) {
      assertRefused(await come({ site }, { origin }), 403, "400008", "该网站未被允许使用此应用的访客组件");
      assertRefused(await come({ site, visitorKey }, { origin }), 403, "400008");
    }
    const owner = await ConsoleClient.logIn(world());
    await owner.ok("PATCH", `apps/${APP}`, { allowedOrigins: [] });
    const refused = await come({ site: SITE }, { origin });
    await owner.ok("PATCH", `apps/${APP}`, { allowedOrigins: [SITE] });
    assertRefused(refused, 403, "400008", "该网站未被允许使用此应用的访客组件");
  });
  test("a frame without storage comes back by its cookie, which no other page's call may use", async () => {
    later();
    const { origin } = new URL(world().portico.ctx.config.baseUrl ?? "");
    const site = SITE;
    const first = await come({ site }, { origin });
    assertSuccess(first);
    const [set = ""] = first.headers["set-cookie"] ?? [];
    assert.match(set, /; HttpOnly; Secure; SameSite=None; Partitioned; Path=\/api\/widget\/v1\/visitors$/);
    const cookie = set.split(";")[0] ?? "";
    const again = await come({ site, isReturning: true }, { origin, cookie });
    assert.equal(again.json.value.visitorId, first.json.value.visitorId);
    assertRefused(await come({ isReturning: true }, { cookie }), 401, "400001");
    assertRefused(await come({ site, isReturning: true }, { origin }), 401, "400001");
    assertRefused(await come({ appId: "app_named", site, isReturning: true }, { origin, cookie }), 401, "400001");
    assert.equal((await come()).headers["set-cookie"], undefined);
  });
  test("an application that is unknown, of another type, or not ACTIVE has none", async () => {
    const { origin } = new URL(world().portico.ctx.config.baseUrl ?? "");
    for (const appId of ["app_nowhere", "app_bot", "app_off"]) {
      assertRefused(await post("visitors", { appId }, { origin }), 403, "400005");
    }
  });
  test("an address may make 20 at once and then one in ten seconds; coming back counts a tenth", async () => {
    later();
    const { visitorKey } = await comeIn();
    for (let count = 1; count < 20; count++) await comeIn();
    const refused = await come();
    assertRefused(refused, 429, "429001", "匿名访客过多,请稍后重试");
    assert.equal(refused.headers["retry-after"], "10");
    assert.equal(refused.headers["access-control-allow-origin"], SITE);
    world().clock.turn(1_000);
    assert.equal((await comeIn({ visitorKey })).isNew, false);
    assertRefused(await come(), 429, "429001");
    world().clock.turn(10_000);
    await comeIn();
    assertRefused(await come(), 429, "429001");
  });
});

onBothEngines("widget: the settings of an application's widget", (engine, test) => {
  const world = suiteWorld(engine, consoleAcme(serviceApp(APP), ownedApp("app_bot")));
  const change = async (body: object, appId = APP) =>
    (await ConsoleClient.logIn(world())).call("PATCH", `apps/${appId}`, body);
  const shown = async (query = "", headers: Record<string, string> = { origin: SITE }) =>
    send(`${world().url}${WIDGET}/apps/${APP}${query}`, { headers });
  const DEFAULTS = {
    greeting: "",
    themeColor: "#2456e6",
    position: "right",
    locale: "auto",
    openingHours: null,
    offlineMessage: "",
  };

  test("the owner changes them one by one, and pages on allowed sites read them", async () => {
    const answer = await shown();
    assertSuccess(answer);
    assert.deepEqual(answer.json.value, {
      appId: APP,
      name: APP,
      anonymousVisitors: false,
      isOpen: true,
      agentsOnline: false,
      widget: DEFAULTS,
    });
    assert.equal(answer.headers["access-control-allow-origin"], SITE);
    const changed = await change({ widget: { greeting: "Hello", position: "left" } });
    assert.deepEqual(changed.json.widget, { ...DEFAULTS, greeting: "Hello", position: "left" });
    await change({ widget: { themeColor: "#AA0011" }, anonymousVisitors: true });
    const { widget, anonymousVisitors } = (await shown()).json.value;
    assert.deepEqual(widget, { ...DEFAULTS, greeting: "Hello", position: "left", themeColor: "#AA0011" });
    assert.equal(anonymousVisitors, true);
    const owner = await ConsoleClient.logIn(world());
    assert.deepEqual((await owner.ok("GET", `apps/${APP}`)).widget, widget);
  });
  test("opening hours say whether somebody answers now", async () => {
    const day = new Date(world().clock.now()).getUTCDay() || 7;
    const spans = (days: object[]) => change({ widget: { openingHours: { timeZone: "UTC", days } } });
    assert.equal((await spans([{ day, from: "00:00", to: "24:00" }])).status, 200);
    assert.equal((await shown()).json.value.isOpen, true);
    await spans([{ day: (day % 7) + 1, from: "00:00", to: "24:00" }]);
    assert.equal((await shown()).json.value.isOpen, false);
    await change({ widget: { openingHours: null } });
    assert.equal((await shown()).json.value.isOpen, true);
  });
  for (const [name, widget] of [
    ["a color that is none", { themeColor: "red" }],
    ["a color with a style behind it", { themeColor: "#ffffff;background:url(//x)" }],
    ["an unknown position", { position: "top" }],
    ["an unknown language", { locale: "fr-FR" }],
    ["a greeting of 501 characters", { greeting: "x".repeat(501) }],
    ["a time that is none", { openingHours: { timeZone: "UTC", days: [{ day: 1, from: "9:00", to: "18:00" }] } }],
    ["a day that is none", { openingHours: { timeZone: "UTC", days: [{ day: 8, from: "09:00", to: "18:00" }] } }],
    [
      "a span that ends before it begins",
      { openingHours: { timeZone: "UTC", days: [{ day: 1, from: "18:00", to: "09:00" }] } },
    ],
    ["an unknown time zone", { openingHours: { timeZone: "Mars/Olympus", days: [] } }],
    ["22 spans", { openingHours: { timeZone: "UTC", days: Array(22).fill({ day: 1, from: "09:00", to: "10:00" }) } }],
  ] as const) {
    test(`${name} is refused, and nothing changes`, async () => {
      const before = (await shown()).json.value.widget;
      assertConsoleRefused(await change({ widget }), 400);
      assert.deepEqual((await shown()).json.value.widget, before);
    });
  }
  test("an application of another type has none: 409", async () => {
    for (const body of [{ anonymousVisitors: true }, { widget: { greeting: "x" } }]) {
      assertConsoleRefused(await change(body, "app_bot"), 409, "只有CUSTOMER_SERVICE类型的应用有访客组件");
    }
  });
  test("an address may ask 300 times at once, and then 20 times a second", async () => {
    world().clock.turn(60_000);
    const ask = (times: number) => Promise.all(Array.from({ length: times }, () => shown()));
    for (const answer of await ask(300)) assertSuccess(answer);
    const refused = await shown();
    assertRefused(refused, 429, "429001", "请求过于频繁,请稍后重试");
    assert.equal(refused.headers["retry-after"], "1");
    world().clock.turn(1_000);
    const statuses = (await ask(21)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    world().clock.turn(60_000);
  });

  test("a frame names the site around it, which has to be allowed, too", async () => {
    assertSuccess(await shown(`?site=${encodeURIComponent(SITE)}`, {}));
    assertRefused(await shown(`?site=${encodeURIComponent("https://nowhere.example")}`, {}), 403, "400008");
  });
});
