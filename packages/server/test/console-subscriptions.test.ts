import assert from "node:assert/strict";
import { EVENT_TYPES, type EventType } from "@portico/protocol";
import { findSubscription, secretOwner } from "../src/domain/webhooks/subscription-store.ts";
import { alice } from "./support/acme.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, fellow, ownedApp } from "./support/console.ts";
import { dumpTables } from "./support/dump.ts";
import { type Engine, onBothEngines } from "./support/engines.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { isSignedWith, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, sayTo, until } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const MESSAGE = "im.message.receive_v1";
const CALLBACK = "https://receiver.test/hook";
const BOT_EVENTS = [MESSAGE, "card.interaction"];
const CUSTOMER_EVENTS = ["customer.message.created_v1", "customer.session.changed_v1", "customer.agent.status_v1"];
const path = (appId: string, eventType: string = MESSAGE) => `apps/${appId}/subscriptions/${eventType}`;

onBothEngines("console: subscriptions", (engine, test) => {
  const bare = { installations: [] };
  const states = (["UNPUBLISHED", "IN_REVIEW", "DISABLED"] as const).map((status) =>
    ownedApp(`app_${status.toLowerCase()}`, { ...bare, status }),
  );
  const customerScopes = ["event.customer.message", "event.customer.session", "event.customer.agent"] as const;
  const world = suiteWorld(
    engine,
    consoleAcme(
      ...["app_bot", "app_rotate", "app_race", "app_refused", "app_gone", "app_send"].map((appId) => ownedApp(appId)),
      ...states,
      ownedApp("app_noscope", { ...bare, scopes: ["bot.message.send"] }),
      ownedApp("app_requested", { ...bare, scopes: ["bot.message.send"] }),
      ownedApp("app_customer", { ...bare, type: "CUSTOMER_SERVICE", scopes: [...customerScopes] }),
      ownedApp("app_mini", { ...bare, type: "MINI_PROGRAM", scopes: [] }),
    ),
    LOOPBACK_CALLBACKS,
    LOOPBACK_NETWORK,
  );
  const signIn = () => ConsoleClient.logIn(world());
  const put = async (appId: string, body: unknown, eventType?: string) =>
    (await signIn()).call("PUT", path(appId, eventType), body);
  const list = async (appId: string) => (await signIn()).ok("GET", `apps/${appId}/subscriptions`);
  /** The current secret of deliveries; null without a subscription. */
  const secretInForce = async (appId: string, eventType: EventType = MESSAGE) => {
    const { storage, secretBox } = world().portico.ctx;
    const found = await findSubscription(storage.db, appId, eventType);
    return found && secretBox.open(found.secretBox, secretOwner(appId, eventType));
  };

  test("PUT returns the event type as credentialId and a secret of 32 bytes; the list shows everything but the secret", async () => {
    assert.deepEqual(await list("app_bot"), []);
    const client = await signIn();
    const answer = await client.ok("PUT", path("app_bot"), { callbackUrl: CALLBACK });
    assert.deepEqual(Object.keys(answer), ["credentialId", "secret"]);
    assert.equal(answer.credentialId, MESSAGE);
    assert.match(answer.secret, /^[\w-]{43}$/);
    assert.equal(await secretInForce("app_bot"), answer.secret);
    await client.ok("PUT", path("app_bot", "card.interaction"), { callbackUrl: CALLBACK, status: "INACTIVE" });
    const common = { callbackUrl: CALLBACK, failureCount: 0, circuitState: "NORMAL", updatedAt: world().clock.now() };
    const expected = [
      { eventType: "card.interaction", ...common, status: "INACTIVE" },
      { eventType: MESSAGE, ...common, status: "ACTIVE" },
    ];
    assert.deepEqual(await list("app_bot"), expected);
    assert.deepEqual(Object.keys(expected[0] ?? {}).sort(), Object.keys((await list("app_bot"))[0]).sort());
    const asFellow = await ConsoleClient.logIn(world(), fellow);
    assert.deepEqual(await asFellow.ok("GET", "apps/app_bot/subscriptions"), expected);
    assert.ok(!JSON.stringify(await dumpTables(world())).includes(answer.secret));
  });
  test("the list shows failures and the state of the application's circuit", async () => {
    const { storage, coordination } = world().portico.ctx;
    await put("app_rotate", { callbackUrl: CALLBACK });
    await storage.write(async (tx) => {
      await tx.updateTable("subscriptions").set({ failure_count: 7 }).where("app_id", "=", "app_rotate").execute();
    });
    for (let n = 0; n < 5; n++) await coordination.circuits.record("app_rotate", false, null, world().clock.now());
    const [open] = await list("app_rotate");
    assert.deepEqual([open.failureCount, open.circuitState], [7, "OPEN"]);
    world().clock.turn(30_000);
    await coordination.circuits.enter("app_rotate", world().clock.now());
    assert.equal((await list("app_rotate"))[0].circuitState, "PROBING");
  });
  test("every PUT rotates the secret, even an identical one, and keeps the failure count", async () => {
    const before = await secretInForce("app_rotate");
    world().clock.turn(1_000);
    const first = await put("app_rotate", { callbackUrl: CALLBACK });
    const second = await put("app_rotate", { callbackUrl: CALLBACK });
    assert.equal(new Set([before, first.json.secret, second.json.secret]).size, 3);
    assert.equal(await secretInForce("app_rotate"), second.json.secret);
    const [{ failureCount, updatedAt }] = await list("app_rotate");
    assert.deepEqual([failureCount, updatedAt], [7, world().clock.now()]);
  });
  test("an event after a PUT is signed with the new secret and sent to the new URL", async (t) => {
    const [old, fresh] = [await receiver(t), await receiver(t)];
    await put("app_send", { callbackUrl: old.url() });
    const { secret } = (await put("app_send", { callbackUrl: fresh.url() })).json;
    await sayTo(world(), "app_send", "hello", alice);
    await until(() => fresh.requests.length > 0, "the event arrives");
    const [received] = fresh.requests;
    assert.ok(received && isSignedWith(secret, received));
    assert.equal(old.requests.length, 0);
  });
  test("of concurrent PUTs, in any process, one wins as a whole, with its secret", async () => {
    const { url } = engine.name === "postgres" ? await world().start() : world();
    const client = await signIn();
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          client
            .at(n % 2 === 0 ? world() : { url })
            .call("PUT", path("app_race"), { callbackUrl: `${CALLBACK}/${n}`, status: n < 4 ? "ACTIVE" : "INACTIVE" }),
        ),
      );
      const inForce = await secretInForce("app_race");
      const winner = answers.findIndex(({ json }) => json.secret === inForce);
      assert.notEqual(winner, -1);
      const [{ callbackUrl, status }] = await list("app_race");
      assert.deepEqual([callbackUrl, status], [`${CALLBACK}/${winner}`, winner < 4 ? "ACTIVE" : "INACTIVE"]);
    }
  });

  for (const [what, body, named] of [
    ["no callbackUrl", {}, /callbackUrl/],
    ["an empty callbackUrl", { callbackUrl: "" }, /callbackUrl/],
    ["a callbackUrl that is no text", { callbackUrl: 1 }, /callbackUrl/],
    ["a callbackUrl that is null", { callbackUrl: null }, /callbackUrl/],
    ["a callbackUrl with NUL", { callbackUrl: `${CALLBACK}\u0000` }, /callbackUrl/],
    ["an unknown status", { callbackUrl: CALLBACK, status: "PAUSED" }, /status/],
    ["a status in small letters", { callbackUrl: CALLBACK, status: "active" }, /status/],
    ["http", { callbackUrl: "http://receiver.test/" }, "回调地址必须以https://开头"],
    ["no URL", { callbackUrl: "receiver.test" }, "回调地址不是有效的URL"],
    ["https without its slashes", { callbackUrl: "https:receiver.test/" }, "回调地址不是有效的URL"],
    ["backslashes for slashes", { callbackUrl: "https:\\\\receiver.test\\" }, "回调地址不是有效的URL"],
    ["empty credentials", { callbackUrl: "https://:@receiver.test/" }, "回调地址不能包含用户名或密码"],
    ["credentials", { callbackUrl: "https://a:b@receiver.test/" }, "回调地址不能包含用户名或密码"],
    ["a private address", { callbackUrl: "https://10.0.0.1/" }, "10.0.0.1不是公网地址"],
    [
      "an IPv6 loopback address",
      { callbackUrl: "https://[::1]/" },
      "::1不是公网地址: 请运行portico listen --forward转发事件, 或改用SOCKET订阅; 测试环境也可设置webhook.allowLoopback为true",
    ],
    ["a host without address", { callbackUrl: "https://unknown.test/" }, "域名unknown.test无法解析"],
    ["more than 2,048 characters", { callbackUrl: `${CALLBACK}/${"x".repeat(2_048)}` }, "回调地址不能超过2048个字符"],
  ] as const) {
    test(`PUT with ${what} is refused with an explanation, and changes nothing`, async () => {
      if ((await secretInForce("app_refused")) === null) await put("app_refused", { callbackUrl: CALLBACK });
      const before = await Promise.all([secretInForce("app_refused"), list("app_refused")]);
      assertConsoleRefused(await put("app_refused", body), 400, named);
      assert.deepEqual(await Promise.all([secretInForce("app_refused"), list("app_refused")]), before);
    });
  }
  for (const eventType of ["im.message", "IM.MESSAGE.RECEIVE_V1", "toString", "__proto__", "*"]) {
    test(`the event type ${eventType} is unknown to PUT, DELETE and verify: 400 naming it`, async () => {
      const client = await signIn();
      assertConsoleRefused(await put("app_bot", { callbackUrl: CALLBACK }, eventType), 400, /eventType/);
      assertConsoleRefused(await client.call("DELETE", path("app_bot", eventType)), 400, /eventType/);
      assertConsoleRefused(await client.call("POST", `${path("app_bot", eventType)}/verify`), 400, /eventType/);
    });
  }

  for (const status of ["unpublished", "in_review", "disabled"]) {
    test(`an application in state ${status} may subscribe`, async () => {
      assert.equal((await put(`app_${status}`, { callbackUrl: CALLBACK })).status, 200);
    });
  }
  for (const [appId, allowed] of [
    ["app_bot", BOT_EVENTS],
    ["app_customer", CUSTOMER_EVENTS],
    ["app_mini", []],
    ["app_noscope", ["card.interaction"]],
  ] as const) {
    test(`${appId} may subscribe to ${allowed.join(", ") || "nothing"}, otherwise 403`, async () => {
      for (const eventType of EVENT_TYPES) {
        const answer = await put(appId, { callbackUrl: CALLBACK }, eventType);
        if ((allowed as readonly string[]).includes(eventType)) assert.equal(answer.status, 200, answer.text);
        else assertConsoleRefused(answer, 403);
      }
      const types = (await list(appId)).map(({ eventType }: { eventType: string }) => eventType);
      assert.deepEqual(types, [...allowed].sort());
    });
  }
  test("a requested scope is sufficient", async () => {
    assertConsoleRefused(await put("app_requested", { callbackUrl: CALLBACK }), 403, /event\.bot\.message/);
    await world().portico.ctx.storage.write(async (tx) => {
      const requested = { app_id: "app_requested", scope: "event.bot.message", state: "REQUESTED" } as const;
      await tx.insertInto("app_scopes").values(requested).execute();
    });
    assert.equal((await put("app_requested", { callbackUrl: CALLBACK })).status, 200);
  });

  test("DELETE removes the subscription; again, or without one, it is 404", async () => {
    const client = await signIn();
    assertConsoleRefused(await client.call("DELETE", path("app_gone")), 404, "订阅不存在");
    await put("app_gone", { callbackUrl: CALLBACK });
    const answer = await client.call("DELETE", path("app_gone"));
    assert.deepEqual([answer.status, answer.text], [204, ""]);
    assert.deepEqual(await list("app_gone"), []);
    assertConsoleRefused(await client.call("DELETE", path("app_gone")), 404, "订阅不存在");
  });
});

/** A world whose lookups of names with "hang" in them wait until they are released. */
function hardToLookUp(engine: Engine, timeout: string) {
  const resolver = { asked: [] as string[], release: Promise.withResolvers<void>() };
  const lookup = async (hostname: string) => {
    resolver.asked.push(hostname);
    if (hostname.includes("hang")) await resolver.release.promise;
    return [{ address: hostname === "inside.test" ? "10.11.12.13" : "127.0.0.1", family: 4 }];
  };
  const world = suiteWorld(
    engine,
    consoleAcme(ownedApp("app_mine"), ownedApp("app_fellow", { owner: fellow.phone })),
    { ...LOOPBACK_CALLBACKS, PORTICO_WEBHOOK_CONNECT_TIMEOUT: timeout },
    { ...LOOPBACK_NETWORK, lookup },
  );
  return { world, resolver };
}

onBothEngines("console: callbacks that are hard to look up", (engine, test) => {
  const { world, resolver } = hardToLookUp(engine, "500ms");

  test("the addresses of a name are written to the log and not to the answer", async () => {
    const client = await ConsoleClient.logIn(world());
    const answer = await client.call("PUT", path("app_mine"), { callbackUrl: "https://inside.test/" });
    assertConsoleRefused(answer, 400, "域名inside.test解析到了非公网地址");
    assert.ok(!answer.text.includes("10.11"));
    await until(() => world().logLines.some((line) => line.includes("inside.test is 10.11.12.13")), "it is logged");
  });
  test("a lookup that takes too long is 503 with Retry-After, and changes nothing", async () => {
    const client = await ConsoleClient.logIn(world());
    await client.ok("PUT", path("app_mine"), { callbackUrl: CALLBACK });
    const before = await client.ok("GET", "apps/app_mine/subscriptions");
    const answer = await client.call("PUT", path("app_mine"), { callbackUrl: "https://hang.test/" });
    assertConsoleRefused(answer, 503, "域名hang.test的解析超过500毫秒仍未完成,请稍后再试");
    assert.equal(answer.headers["retry-after"], "10");
    assert.deepEqual(await client.ok("GET", "apps/app_mine/subscriptions"), before);
    resolver.release.resolve();
  });
});

onBothEngines("console: many callbacks that are hard to look up", (engine, test) => {
  const { world, resolver } = hardToLookUp(engine, "60s");

  test("one callback of a developer is looked up at a time, ten wait, and more are 429; other developers are not affected", async () => {
    const [client, other] = [await ConsoleClient.logIn(world()), await ConsoleClient.logIn(world(), fellow)];
    // A name that was fast once does not wait for those that are not known to be.
    await other.ok("PUT", path("app_fellow"), { callbackUrl: CALLBACK });
    const running = Array.from({ length: 13 }, (_, n) =>
      client.call("PUT", path("app_mine"), { callbackUrl: `https://hang${n}.test/` }),
    );
    const isOver = running.map((call) => call.then(({ status }) => status));
    let refused = 0;
    for (const status of isOver) void status.then((code) => (refused += Number(code === 429)));
    await until(() => refused === 2, "two are refused while the others wait");
    await other.ok("PUT", path("app_fellow"), { callbackUrl: CALLBACK });
    assert.equal(resolver.asked.filter((name) => name.startsWith("hang")).length, 1);
    resolver.release.resolve();
    const statuses = (await Promise.all(isOver)).sort();
    assert.deepEqual(statuses, [...Array(11).fill(200), 429, 429]);
    await client.ok("PUT", path("app_mine"), { callbackUrl: CALLBACK });
  });
});

onBothEngines("console: verifying a callback", (engine, test) => {
  const appIds = ["app_ok", "app_none", "app_inactive", "app_slow", "app_other"];
  const world = suiteWorld(
    engine,
    consoleAcme(...appIds.map((appId) => ownedApp(appId))),
    LOOPBACK_CALLBACKS,
    LOOPBACK_NETWORK,
  );
  const verify = async (appId: string) => (await ConsoleClient.logIn(world())).call("POST", `${path(appId)}/verify`);
  const put = async (appId: string, callbackUrl: string, status?: string) =>
    (await ConsoleClient.logIn(world())).ok("PUT", path(appId), { callbackUrl, status });

  test("2xx gives true, in an envelope; the request is as in the contract", async (t) => {
    const callback = await receiver(t);
    await put("app_ok", callback.url());
    for (const status of [200, 204, 299]) {
      callback.respond = (_received, response) => void response.writeHead(status).end();
      const answer = await verify("app_ok");
      assert.equal(answer.status, 200);
      const { reqNo, attempt, ...rest } = answer.json;
      assert.deepEqual(rest, { code: "000000", message: "success", value: true });
      assert.deepEqual([attempt.status, attempt.reason, attempt.address], [status, null, "127.0.0.1"]);
      assert.match(reqNo, /^\w{16,}$/);
    }
    const [request] = callback.requests;
    assert.ok(request);
    assert.deepEqual([request.method, request.headers["content-type"]], ["POST", "application/json; charset=UTF-8"]);
    assert.ok(!Object.keys(request.headers).some((name) => name.startsWith("x-open-")));
    const { challenge, ...body } = JSON.parse(request.body.toString("utf8"));
    assert.deepEqual(body, { type: "url_verification" });
    assert.match(challenge, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });
  test("any other answer, or none, gives false, and does not count as a failure of the subscription", async (t) => {
    const callback = await receiver(t);
    await put("app_ok", callback.url());
    for (const status of [302, 400, 404, 500]) {
      callback.respond = (_received, response) => void response.writeHead(status, { location: callback.url() }).end();
      assert.equal((await verify("app_ok")).json.value, false);
    }
    callback.respond = (_received, response) => void response.destroy();
    assert.equal((await verify("app_ok")).json.value, false);
    const [{ failureCount }] = await (await ConsoleClient.logIn(world())).ok("GET", "apps/app_ok/subscriptions");
    assert.equal(failureCount, 0);
  });
  test("the attempt tells how far it came: each phase, and what was answered", async (t) => {
    const callback = await receiver(t);
    await put("app_ok", callback.url());
    callback.respond = (_received, response) => void response.writeHead(500).end("out of order");
    const { attempt: answered } = (await verify("app_ok")).json;
    assert.deepEqual([answered.status, answered.answer], [500, "out of order"]);
    for (const name of ["dnsMs", "connectMs", "tlsMs", "firstByteMs"]) {
      assert.equal(typeof answered.phases[name], "number", name);
    }
    // Nothing listens there.
    await put("app_ok", "https://receiver.test:9/");
    const { value, attempt: refused } = (await verify("app_ok")).json;
    assert.deepEqual([value, refused.status, refused.reason], [false, null, "connection-refused"]);
    assert.deepEqual([refused.phases.connectMs, refused.phases.firstByteMs], [null, null]);
    assert.match(refused.detail, /./);
  });
  test("without a subscription it is 404, with an inactive one 409, and nothing is sent", async (t) => {
    assertConsoleRefused(await verify("app_none"), 404, "订阅不存在");
    const callback = await receiver(t);
    await put("app_inactive", callback.url(), "INACTIVE");
    assertConsoleRefused(await verify("app_inactive"), 409, "订阅未启用");
    assert.equal(callback.requests.length, 0);
  });
  test("five run at a time per application, the sixth is 429; other applications are not affected", async (t) => {
    const callback = await receiver(t);
    const held: (() => void)[] = [];
    callback.respond = (received, response) =>
      void (received.path === "/slow" ? held.push(() => response.end()) : response.end());
    await put("app_slow", callback.url("/slow"));
    await put("app_other", callback.url("/fast"));
    const running = Array.from({ length: 5 }, () => verify("app_slow"));
    await until(() => held.length === 5, "five are under way");
    assertConsoleRefused(await verify("app_slow"), 429);
    assert.equal((await verify("app_other")).json.value, true);
    for (const release of held.splice(0)) release();
    for (const answer of await Promise.all(running)) assert.equal(answer.json.value, true);
    callback.respond = (_received, response) => void response.end();
    assert.equal((await verify("app_slow")).json.value, true);
  });
});

async function receiver(t: { after(fn: () => Promise<void>): void }): Promise<Receiver> {
  const started = await startReceiver();
  t.after(() => started.stop());
  return started;
}
