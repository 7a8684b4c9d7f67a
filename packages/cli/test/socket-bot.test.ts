import assert from "node:assert/strict";
import { test } from "node:test";
import { createBot } from "@portico/sdk";
import { MemberClient } from "../../server/test/support/member.ts";
import { until } from "../../server/test/support/webhooks.ts";
import { startDemoService } from "./demo-service.ts";

const TYPE = "im.message.receive_v1";

test("a bot, subscribed by command, connects to the service, answers a mention, and again what failed at first", async () => {
  await using service = await startDemoService(async () => ({ PORTICO_WEBHOOK_RETRY_DELAYS: "100ms" }));
  const { cli, member } = JSON.parse(await service.read("data/demo.json"));
  const subscribed = await service.portico(["subscribe", cli.appId, TYPE, "--socket"]);
  assert.equal(subscribed.code, 0, subscribed.stderr);
  assert.match((await service.portico(["subscriptions", cli.appId])).stdout, /by socket$/m);

  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (text: string) => warnings.push(text), error() {} };
  const bot = createBot({ ...cli, baseUrl: service.baseUrl, logger });
  let failures = 1;
  bot.on("message", async (ctx) => {
    await ctx.reply(`You said: ${ctx.text}`);
    if (failures-- > 0) throw new Error("not now");
  });
  await bot.start();
  assert.deepEqual(warnings, []);

  const alice = await MemberClient.signIn({ url: service.baseUrl }, member);
  const content = { text: "hi bot", mentions: [cli.appId] };
  await alice.post("conversations/group:g_demo/messages", { msgType: "text", content });
  const isDelivered = async () => /DELIVERED +2/.test((await service.portico(["deliveries", cli.appId])).stdout);
  await until(isDelivered, "the mention is delivered at the second attempt");
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  bot.on("message", async () => {
    begun.resolve();
    await gate.promise;
  });
  await alice.post("conversations/group:g_demo/messages", {
    msgType: "text",
    content: { text: "bye", mentions: [cli.appId] },
  });
  await begun.promise;
  const stopped = bot.stop();
  gate.resolve();
  await stopped;
  const { stdout } = await service.portico(["deliveries", cli.appId]);
  assert.equal(stdout.match(/DELIVERED/g)?.length, 2, "what a listener finished before the stop is recorded after it");
  assert.deepEqual((await service.readGroup()).slice(0, 2), ["Alice: hi bot", "Demo bot: You said: hi bot"]);
});

test("portico listen takes the events of the demo's bot without a subscription", async () => {
  await using service = await startDemoService();
  const { cli, member } = JSON.parse(await service.read("data/demo.json"));
  const listening = service.start(["listen", "--event", TYPE]);
  await new Promise<void>((resolve) => {
    listening.stderr.on("data", (text) => String(text).includes("listening to") && resolve());
  });
  const alice = await MemberClient.signIn({ url: service.baseUrl }, member);
  const shown = new Promise<string>((resolve) => listening.stdout.once("data", (text) => resolve(String(text))));
  await alice.post(`conversations/bot:${cli.appId}/messages`, { msgType: "text", content: { text: "hi" } });
  assert.match(await shown, /im\.message\.receive_v1 {2}evt_\S+ {2}1 {2}acknowledged/);
  listening.kill("SIGINT");
  const code = await new Promise((resolve) => listening.once("close", resolve));
  assert.equal(code, 0);
});
