import assert from "node:assert/strict";
import { EVENT_TYPES, type EventType } from "@portico/protocol";
import { alice } from "./support/acme.ts";
import { auditOf } from "./support/audit.ts";
import { assertConsoleRefused, ConsoleClient, consoleAcme, fellow, ownedApp, owner } from "./support/console.ts";
import { onBothEngines } from "./support/engines.ts";
import { MemberClient } from "./support/member.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { isSignedWith, LOOPBACK_CALLBACKS, LOOPBACK_NETWORK, subscribe, untilAll } from "./support/webhooks.ts";
import { suiteWorld } from "./support/world.ts";

const MESSAGE = "im.message.receive_v1";
const desk = (appId: string) =>
  ownedApp(appId, {
    type: "CUSTOMER_SERVICE",
    scopes: ["event.customer.message", "event.customer.session", "event.customer.agent"],
    installations: [],
  });
const appOf = (eventType: EventType) => (eventType.startsWith("customer.") ? "app_desk" : "app_bot");
const path = (appId: string, eventType: string) => `apps/${appId}/events/${eventType}/trigger`;

/** Acme, where alice has the owner's phone number, and the bot is installed for her. */
function withPhone() {
  const apps = [
    ownedApp("app_bot", { installations: [] }),
    ownedApp("app_hers", { installations: [{ targetType: "USER", targetId: "u_alice" }] }),
    desk("app_desk"),
    ownedApp("app_unheard"),
    ownedApp("app_draft", { status: "UNPUBLISHED" }),
    ownedApp("app_often"),
  ];
  const file = consoleAcme(...apps);
  const members = file.members?.map((member) =>
    member.username === "alice" ? { ...member, phone: owner.phone } : member,
  );
  return { ...file, members };
}

onBothEngines("console: triggering a made-up event", (engine, test) => {
  const world = suiteWorld(engine, withPhone(), LOOPBACK_CALLBACKS, LOOPBACK_NETWORK);
  const receiving = async (t: { after(fn: () => Promise<void>): void }, appId: string, eventType: EventType) => {
    const receiver: Receiver = await startReceiver();
    t.after(() => receiver.stop());
    return { receiver, secret: await subscribe(world(), appId, receiver.url(), eventType) };
  };
  const trigger = async (appId: string, eventType: string) =>
    (await ConsoleClient.logIn(world())).call("POST", path(appId, eventType));

  for (const eventType of EVENT_TYPES) {
    test(`${eventType} is recorded, signed and delivered as every event is`, async (t) => {
      const appId = appOf(eventType);
      const { receiver, secret } = await receiving(t, appId, eventType);
      const answer = await trigger(appId, eventType);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([answer.json.eventType, answer.json.status], [eventType, "PENDING"]);
      await untilAll(world(), appId, "DELIVERED");
      const [request] = receiver.requests;
      assert.ok(request && isSignedWith(secret, request));
      const event = JSON.parse(request.body.toString());
      assert.deepEqual([event.eventId, event.appId, event.tenantId], [answer.json.eventId, appId, "t_acme"]);
      const ids = [event.message?.messageId, event.session?.sessionId].filter((id) => id !== undefined);
      assert.ok(ids.every((id) => Number.isSafeInteger(id) && id >= 2 ** 52));
      const entries = (await auditOf(world(), appId)).filter(({ action }) => action === "event.trigger");
      assert.ok(entries.some(({ target }) => target === `event:${event.eventId}`));
    });
  }

  test("the message of who has the bot installed is really written, and can be answered", async (t) => {
    const { receiver } = await receiving(t, "app_hers", MESSAGE);
    assert.equal((await trigger("app_hers", MESSAGE)).status, 200);
    await untilAll(world(), "app_hers", "DELIVERED");
    const { message, sender } = JSON.parse(String(receiver.requests[0]?.body));
    assert.equal(sender.userId, "u_alice");
    const member = await MemberClient.signIn(world(), alice);
    const [written] = await member.history("bot:app_hers");
    assert.deepEqual([written?.messageId, written?.content], [message.messageId, message.content]);
    const { db } = world().portico.ctx.storage;
    const recipients = db.selectFrom("message_recipients").select("app_id").where("message_id", "=", message.messageId);
    assert.deepEqual(await recipients.execute(), [{ app_id: "app_hers" }]);
  });

  test("is refused where nobody would get it, for another type of application, and to others than the owner", async () => {
    assertConsoleRefused(await trigger("app_unheard", MESSAGE), 409);
    await subscribe(world(), "app_draft", "https://receiver.test/", MESSAGE);
    assertConsoleRefused(await trigger("app_draft", MESSAGE), 409);
    assertConsoleRefused(await trigger("app_bot", "customer.agent.status_v1"), 403);
    assertConsoleRefused(await trigger("app_bot", "im.message"), 400);
    const other = await ConsoleClient.logIn(world(), fellow);
    assertConsoleRefused(await other.call("POST", path("app_bot", MESSAGE)), 403);
    const { db } = world().portico.ctx.storage;
    const recorded = db.selectFrom("deliveries").select("event_id").where("app_id", "in", ["app_unheard", "app_draft"]);
    assert.deepEqual(await recorded.execute(), []);
  });

  test("an application has 30 a minute", async (t) => {
    await receiving(t, "app_often", MESSAGE);
    for (let n = 0; n < 30; n++) assert.equal((await trigger("app_often", MESSAGE)).status, 200);
    const refused = await trigger("app_often", MESSAGE);
    assertConsoleRefused(refused, 429);
    assert.ok(Number(refused.headers["retry-after"]) >= 1);
    await untilAll(world(), "app_often", "DELIVERED");
  });
});

onBothEngines("console: triggering in production", (engine, test) => {
  const world = suiteWorld(engine, withPhone(), { PORTICO_ENVIRONMENT: "production" });
  test("is refused, whoever is subscribed", async () => {
    await subscribe(world(), "app_bot", "https://receiver.test/", MESSAGE);
    const client = await ConsoleClient.logIn(world());
    const refused = await client.call("POST", path("app_bot", MESSAGE));
    assertConsoleRefused(refused, 403);
    assert.equal(refused.json.errorCode, "TRIGGER_IN_PRODUCTION");
  });
});
