import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { before, test } from "node:test";
import type { ClientMessage } from "@portico/protocol";
import { until } from "../../packages/server/test/support/webhooks.ts";
import type { InstalledExamples } from "./support/installed-examples.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../examples");
const BOT = "app_demo_bot";
const GROUP = { conversationId: "group:g_demo" };

/** The tests of the examples that are bots, and of the script that sends a card. */
export function testBots(installed: () => InstalledExamples): void {
  let examples: InstalledExamples;
  before(async () => {
    examples = installed();
    await examples.subscribe(BOT, "im.message.receive_v1", "card.interaction");
  });

  test("the echo bot says again what it was told, in less than 20 lines", async () => {
    await examples.install("echo-bot", BOT);
    await using bot = examples.start("echo-bot", ["npm", "start"]);
    await bot.writes(/^listening$/m);
    assert.equal(contentOf(await ask(examples, "hello")), '{"text":"You said: hello"}');
    const code = readFileSync(`${EXAMPLES}/echo-bot/bot.js`, "utf8");
    assert.ok(code.split("\n").length < 20);
  });

  test("the approval card changes for its readers, and the first decision counts", async () => {
    await examples.install("approval-card", BOT);
    await using bot = examples.start("approval-card", ["npm", "start"]);
    await bot.writes(/^listening$/m);
    const asked = await ask(examples, "# a **new** laptop");
    assert.match(contentOf(asked), /Approval.*"tag":"plain_text","content":"# a \*\*new\*\* laptop"/);
    const [approve, reject] = [true, false].map((approved) => ({
      tag: "button",
      name: "decide",
      value: { what: "a laptop", by: "Alice", approved },
    }));
    const params = { messageId: String(asked.messageId) };
    await examples.alice.api.actOnCard({ params, body: approve ?? assert.fail() });
    const decided = await newest(examples, (message) => contentOf(message).includes("Approved by **Alice**"));
    assert.equal(decided.messageId, asked.messageId);
    await examples.alice.api.actOnCard({ params, body: reject ?? assert.fail() });
    // Events of one conversation are handled in order: once the bot answers this, it has seen the second decision.
    await ask(examples, "a second laptop");
    const { items } = await examples.alice.api.listMessages({ params: GROUP, query: { limit: 10 } });
    const card = items.find(({ messageId }) => messageId === asked.messageId);
    assert.match(contentOf(card ?? assert.fail("the card is gone")), /Approved by/);
  });

  test("the notifier sends one card for a build however often it runs, and updates it", async () => {
    await examples.install("ci-notifier", BOT);
    const notify = (...args: string[]) =>
      examples.run("ci-notifier", process.execPath, "notify.js", "--build", "128", ...args);
    const sent = await notify();
    assert.equal(await notify(), sent);
    await notify("--state", "passed", "--url", "https://ci.example.com/128", "--update", sent.trim());
    const shown = await newest(examples, (message) => contentOf(message).includes("Build 128 passed"));
    assert.equal(shown.messageId, Number(sent));
    await assert.rejects(notify("--state", "odd"), /usage: node notify\.js/);
  });

  test("the FAQ bot answers what it knows, and offers its topics for anything else", async () => {
    await examples.install("faq-bot", BOT);
    await using bot = examples.start("faq-bot", ["npm", "start"]);
    await bot.writes(/^listening$/m);
    assert.match(contentOf(await ask(examples, "how do I get the VPN for remote work?")), /software centre/);
    assert.match(contentOf(await ask(examples, "怎么请假？")), /HR portal/);
    const topics = await ask(examples, "what is the meaning of it all?");
    assert.match(contentOf(topics), /What is it about.*Expenses/);
    const body = { tag: "button", name: "topic", value: "Expenses" };
    await examples.alice.api.actOnCard({ params: { messageId: String(topics.messageId) }, body });
    await newest(examples, (message) => contentOf(message).includes("finance"));
  });
}

/** Mentions the bot in the group, and waits for the bot's next message there. */
async function ask(examples: InstalledExamples, text: string): Promise<ClientMessage> {
  const { messageId } = await examples.alice.api.postMessage({
    params: GROUP,
    body: { msgType: "text", content: { text, mentions: [BOT] } },
  });
  return await newest(examples, (message) => message.messageId > messageId);
}

/** The newest message of the group, once it is as it should be. */
async function newest({ alice }: InstalledExamples, isIt: (message: ClientMessage) => boolean): Promise<ClientMessage> {
  let found: ClientMessage | undefined;
  await until(async () => {
    const { items } = await alice.api.listMessages({ params: GROUP, query: { limit: 1 } });
    found = items.at(-1);
    return found !== undefined && isIt(found);
  }, "the group has the message");
  return found ?? assert.fail("there is no message");
}

const contentOf = (message: ClientMessage) => JSON.stringify(message.content);
