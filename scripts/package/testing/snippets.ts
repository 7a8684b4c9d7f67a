/** What the installed packages are tried with. Each script prints "ok" as its last line. */

const USE = `
export async function use({ PorticoClient, verifyWebhook, nodeHttpHandler }, { card, markdown, button }, signature) {
  const expect = (is, what) => { if (!is) throw new Error("not as expected: " + what); };
  const made = card({ elements: [markdown("**hello**"), button("Go", { value: { go: 1 } })] });
  expect(made.body.elements.length === 2, "a card");
  const identity = { appId: "app_demo", credentialId: "cred_demo", appSecret: "s3cr3t-démo" };
  const signed = await signature.signRequest({ method: "get", path: "/x", rawQuery: "b=2&a=1", ...identity });
  expect(signed.canonicalString.startsWith("GET\\n/x\\na=1&b=2\\napp_demo\\ncred_demo\\n"), "a canonical string");
  const delivery = JSON.parse(process.argv.at(-1));
  expect(verifyWebhook(delivery).eventId === "evt_1", "an event, by node:crypto");
  expect((await signature.verifyWebhook(delivery)).eventId === "evt_1", "an event, by WebCrypto");
  const refused = await signature.verifyWebhook({ ...delivery, secret: "another" }).catch((error) => error);
  expect(refused.reason === "signature", "a refusal");
  expect(typeof nodeHttpHandler({ secret: "s", onEvent() {} }) === "function", "a handler");
  const client = new PorticoClient({ baseUrl: process.argv.at(-2), ...identity });
  const [app] = await client.bot.listApps();
  expect(app.appId === "app_demo", "an answer");
  const upload = await client.bot.uploadFile(new TextEncoder().encode("a file"), { fileName: "a.txt" });
  expect(upload.fileKey === "key_1", "an upload");
  console.log("ok");
}
`;

/** Uses the SDK's three entries; the last arguments are a service's address and a delivery as JSON. */
export const SDK_SCRIPTS = {
  "use.mjs": USE,
  "import.mjs": `
import * as sdk from "@portico/sdk";
import * as cards from "@portico/sdk/cards";
import * as signature from "@portico/sdk/signature";
import process from "node:process";
import { use } from "./use.mjs";
await use(sdk, cards, signature);
`,
  "require.cjs": `
const sdk = require("@portico/sdk");
const cards = require("@portico/sdk/cards");
const signature = require("@portico/sdk/signature");
import("./use.mjs").then(({ use }) => use(sdk, cards, signature));
`,
  "bot.mjs": `
import process from "node:process";
import { createBot, createTestBot } from "@portico/sdk";
const expect = (is, what) => { if (!is) throw new Error("not as expected: " + what); };
const identity = { baseUrl: process.argv.at(-1), appId: "app_demo", credentialId: "cred_demo", appSecret: "s3cr3t-démo" };
const listen = (bot) => bot.on("message", async (ctx) => { if (ctx.text === "bye") await ctx.reply("bye"); });
const tested = await listen(createTestBot()).receive("message", { message: { content: { text: "bye" } } });
expect(tested.said[0].content.text === "bye", "a test bot");
const refused = await createBot({ ...identity, appSecret: "wrong" }).start().catch((error) => error);
expect(refused.name === "ApiRefusedError" && refused.code === "400001", "a refusal instead of " + refused);
const bot = createBot(identity);
const heard = new Promise((resolve) => bot.on("message", resolve));
await bot.start();
expect((await heard).text === "hello", "an event");
await bot.stop();
expect((await bot.ended) === "stopped", "its end");
console.log("ok");
`,
} as const;

/** A bot in TypeScript, which has to satisfy the strictest settings. */
export const TYPED_BOT = `
import { createServer } from "node:http";
import { createBot, createTestBot, type MessageReceivedEvent, nodeHttpHandler, PorticoClient, type SentMessage, verifyWebhook } from "@portico/sdk";
import { button, type Card, card, markdown } from "@portico/sdk/cards";
import { signRequest, verifyWebhook as verifyInAWorker } from "@portico/sdk/signature";

const client = new PorticoClient({ baseUrl: "http://localhost:8080", appId: "a", credentialId: "c", appSecret: "s" });

export async function answer(event: MessageReceivedEvent): Promise<SentMessage> {
  const { messageId, receiveIdType, chatId } = event.message;
  const made: Card = card({ elements: [markdown("hello"), button("Go", { value: 1 })] });
  return await client.bot.reply({ messageId, receiveIdType, receiveId: chatId, msgType: "card", content: { card: made } });
}

export const server = createServer(nodeHttpHandler({ secret: "s", on: { "im.message.receive_v1": answer } }));

export const bot = createBot({ baseUrl: "http://localhost:8080", appId: "a", credentialId: "c", appSecret: "s", logger: console })
  .use(async (ctx, next) => {
    ctx.state["startedAt"] = Date.now();
    await next();
  })
  .on("message", async (ctx) => ctx.reply(ctx.text))
  .on("customer.session.changed_v1", ({ event }) => event.session.visitorId)
  .onCardAction("approve", async (ctx) => ctx.updateCard(card({ elements: [markdown(ctx.operator.name)] })))
  .catch((error, ctx) => console.error(error, ctx.event.eventId));
// @ts-expect-error there is no such event
bot.on("mesage", () => {});

export async function tryOut(): Promise<string> {
  const { said } = await createTestBot().receive("message", { message: { content: { text: "ping" } } });
  await bot.start();
  await bot.stop({ timeoutMs: 10 });
  return said[0]?.msgType === "text" ? said[0].content.text : "";
}

export async function check(headers: Record<string, string>, body: string): Promise<string[]> {
  const event = verifyWebhook({ headers, body, secret: "s" });
  if (event.eventType === "card.interaction") return [event.action.tag, event.operator.name];
  const again = await verifyInAWorker({ headers, body, secret: ["s", "t"] });
  const { signature } = await signRequest({ method: "GET", path: "/", appId: "a", credentialId: "c", appSecret: "s" });
  // @ts-expect-error a text message has a text
  await client.bot.sendMessage({ receiveIdType: "group_id", receiveId: "g", msgType: "text", content: {} });
  return [again.eventId, signature];
}
`;
