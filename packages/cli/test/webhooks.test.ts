import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../server/test/support/webhooks.ts";
import { printedJson } from "./demo-service.ts";
import { startWebhookWorld } from "./webhook-world.ts";

const APP = "app_demo_bot";
const TYPE = "im.message.receive_v1";
const params = { appId: APP };

test("an SDK bot, subscribed by command, answers a mention once, however often it is delivered", async () => {
  await using world = await startWebhookWorld();
  const { service, alice, api, events } = world;
  const portico = async (...args: string[]) => {
    const { code, stdout, stderr } = await service.portico(args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  world.secret = (await portico("subscribe", APP, TYPE, world.url)).trim();
  assert.match(await portico("subscriptions", APP), new RegExp(`^${TYPE} +ACTIVE +NORMAL +0 .*${world.url}$`, "m"));
  assert.equal(await portico("verify", APP, TYPE), "the address answers with 2xx\n");

  const content = { text: "hi bot", mentions: [APP] };
  await alice.post("conversations/group:g_demo/messages", { msgType: "text", content });
  const isDelivered = async () => (await api.console.listDeliveries({ params })).items[0]?.status === "DELIVERED";
  await until(isDelivered, "the mention is delivered");
  const { eventId = "" } = events[0] ?? {};
  assert.match(await portico("deliveries", APP), new RegExp(`${eventId} .* DELIVERED +1 +200$`, "m"));
  assert.match(await portico("deliveries", APP, eventId), /^ {2}\| \{"result":"handled"\}$/m);

  assert.equal(await portico("redeliver", APP, eventId), `sent off again: ${eventId}\n`);
  assert.equal(await portico("redeliver", APP, "--from", "2020-01-01", "--to", "2099-01-01"), "sent off again: 1\n");
  const isRepeated = async () =>
    (await api.console.getDelivery({ params: { ...params, eventId } })).attempts.length > 1;
  await until(isRepeated, "the mention is delivered again");
  assert.match(await portico("deliveries", APP, eventId), /^ {2}\| \{"result":"duplicate"\}$/m);
  assert.equal(events.length, 1);
  assert.deepEqual(await service.readGroup(), ["Alice: hi bot", "Demo bot: Hello Alice"]);
});

test("an event whose secret the receiver does not have yet is refused for now with the reason, and handled when it is delivered again", async () => {
  await using world = await startWebhookWorld();
  const { service, alice, api, events } = world;
  const subscribed = await service.portico(["subscribe", APP, TYPE, world.url]);
  await alice.post(`conversations/bot:${APP}/messages`, { msgType: "text", content: { text: "hi" } });
  const retrying = { params, query: { status: "RETRYING" } } as const;
  const isPutOff = async () => (await api.console.listDeliveries(retrying)).total === 1;
  await until(isPutOff, "the delivery has been tried");
  const list = await service.portico(["deliveries", APP, "--status", "RETRYING", "--json"]);
  const [{ eventId, lastStatus }] = printedJson(list).items;
  assert.equal(lastStatus, 425);
  const detail = await service.portico(["deliveries", APP, eventId]);
  assert.match(detail.stdout, /^ {2}\| \{"error":"signature","message":"the signature is not that of this body/m);

  world.secret = subscribed.stdout.trim();
  await service.portico(["redeliver", APP, eventId, "evt_none"]);
  await until(() => events.length === 1, "the event comes again");
  assert.equal(events[0]?.eventId, eventId);
});

test("rehearse has the app's next call fail, shows what is left, and ends it", async () => {
  await using world = await startWebhookWorld();
  const { service } = world;
  assert.equal((await service.portico(["rehearse"])).stdout, `${APP} rehearses nothing\n`);
  const armed = await service.portico(["rehearse", "CREDENTIAL_EXPIRED", "--times", "2", "--minutes", "5"]);
  assert.match(
    armed.stdout,
    /^app_demo_bot rehearses CREDENTIAL_EXPIRED: 2 to come, until \d{4}-.*portico rehearse --end --app/,
  );
  const failed = await service.portico(["installations"]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /400001/);
  const left = printedJson(await service.portico(["rehearse", "--app", APP, "--json"]));
  assert.deepEqual([left.rehearsal.fault, left.rehearsal.left], ["CREDENTIAL_EXPIRED", 1]);
  assert.equal((await service.portico(["rehearse", "--end"])).stdout, `${APP} rehearses nothing\n`);
  assert.equal((await service.portico(["installations"])).code, 0);
});

test("trigger has the bot called, without anybody writing to it, and waits for the outcome", async () => {
  await using world = await startWebhookWorld();
  const { service, events } = world;
  const nobody = await service.portico(["trigger", TYPE]);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /^refused: 409 .*\n.*no ACTIVE subscription.*\nSubscribe with `portico subscribe`/m);

  const subscribed = await service.portico(["subscribe", APP, TYPE, world.url]);
  const unverified = await service.portico(["trigger", TYPE]);
  assert.equal(unverified.code, 1);
  assert.match(unverified.stderr, /was not delivered\nThe receiver could not verify the signature/);
  world.secret = subscribed.stdout.trim();
  const triggered = await service.portico(["trigger", TYPE]);
  assert.equal(triggered.code, 0, triggered.stderr);
  assert.equal(triggered.stdout, `${events[0]?.eventId}  ${TYPE}  DELIVERED\n`);
  const { stdout } = await service.portico(["read", `bot:${APP}`]);
  assert.match(stdout, /^Alice: This message was made up to try the bot\.\nDemo bot: Hello Alice\n$/m);

  const json = printedJson(await service.portico(["trigger", TYPE, "--app", APP, "--json"]));
  assert.deepEqual([json.eventType, json.status, json.lastStatus], [TYPE, "DELIVERED", 200]);
});
