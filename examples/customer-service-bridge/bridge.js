import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createBot } from "@portico/sdk";

/** Where your site takes the agents' answers; without one they are printed. */
const { SITE_URL, PORT = "3000" } = process.env;
const BODY_MAX_BYTES = 64 * 1024;

const bot = createBot(JSON.parse(readFileSync("profile.json", "utf8")));
const { customer } = bot.client;

/** From the site to the agents: `POST /messages {userId, name, messageId, text}`. */
async function toAgents({ userId, name, messageId, text }) {
  const { visitorId } = await customer.authVisitor({ thirdUserId: userId, nickname: name });
  // Your own id of the message: sent twice, it is stored once.
  return await customer.sendMessage({ visitorId, thirdMsgId: messageId, msgType: "text", content: text });
}

/** From the agents to the site. When the site does not take it, the listener throws, and the event comes again. */
bot.on("customer.message.created_v1", async ({ event }) => {
  const { message } = event;
  if (message.senderType !== "AGENT" || message.msgType !== "text") return;
  const { thirdUserId } = await customer.getVisitor(message.visitorId);
  const answer = { userId: thirdUserId, agent: message.agentId, text: message.content, messageId: message.messageId };
  if (SITE_URL === undefined) return console.log(`answer ${JSON.stringify(answer)}`);
  const taken = await fetch(SITE_URL, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(answer),
    signal: AbortSignal.timeout(5_000),
  });
  if (!taken.ok) throw new Error(`the site answered ${taken.status}`);
});

const server = createServer(async (request, response) => {
  try {
    if (request.method !== "POST" || request.url !== "/messages") return response.writeHead(404).end();
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size > BODY_MAX_BYTES) return response.writeHead(413, { Connection: "close" }).end();
      chunks.push(chunk);
    }
    const { seq } = await toAgents(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ seq }));
  } catch (error) {
    console.error(error);
    response.writeHead(error instanceof SyntaxError ? 400 : 502).end();
  }
});

process.once("SIGTERM", () => {
  server.close();
  void bot.stop();
});
await bot.start();
// Your site calls from the same machine; in front of anything else belongs a check of who calls.
server.listen(Number(PORT), "127.0.0.1", () => console.log(`listening on ${server.address().port}`));
