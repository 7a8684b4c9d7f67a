import { readFileSync } from "node:fs";
import { createBot } from "@portico/sdk";
import { button, card, plainText } from "@portico/sdk/cards";

const ANSWERS = JSON.parse(readFileSync(new URL("answers.json", import.meta.url), "utf8"));

const TOPICS = card({
  header: { title: { content: "What is it about?" } },
  elements: [
    plainText("I have answers to these:"),
    ...ANSWERS.map(({ topic }) => button(topic, { name: "topic", value: topic })),
  ],
});

/** The entry with most of its words in the text; undefined when there is none of any. */
function entryFor(text) {
  const asked = text.toLowerCase();
  const counted = ANSWERS.map((entry) => ({ entry, hits: entry.words.filter((word) => asked.includes(word)).length }));
  const best = counted.reduce((most, each) => (each.hits > most.hits ? each : most));
  return best.hits > 0 ? best.entry : undefined;
}

const bot = createBot(JSON.parse(readFileSync("profile.json", "utf8")));
bot.on("message", (ctx) => ctx.reply(entryFor(ctx.command)?.answer ?? TOPICS));
bot.onCardAction("topic", async (ctx) => {
  // The value comes from the member's client: only what is a topic is answered.
  const entry = ANSWERS.find(({ topic }) => topic === ctx.action.value);
  if (entry !== undefined) await ctx.send(entry.answer);
});
process.once("SIGTERM", () => bot.stop());
await bot.start();
console.log("listening");
