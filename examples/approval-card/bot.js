import { readFileSync } from "node:fs";
import { createBot } from "@portico/sdk";
import { button, card, markdown, note, plainText } from "@portico/sdk/cards";

const REMEMBERED = 1_000;

/** The cards that have been decided: the first decision counts, also when two members press at the same time. */
const decided = new Set();

const bot = createBot(JSON.parse(readFileSync("profile.json", "utf8")));

bot.on("message", (ctx) => {
  const request = { what: ctx.command.slice(0, 500), by: ctx.sender.name };
  return ctx.reply(
    card({
      header: { title: { content: "Approval" }, template: "orange" },
      // What a member wrote stands in a plain text, so that nothing of it becomes a link or a heading.
      elements: [
        plainText(request.what),
        note(`Asked by ${request.by}`),
        button("Approve", { name: "decide", value: { ...request, approved: true } }),
        button("Reject", { name: "decide", value: { ...request, approved: false } }),
      ],
    }),
  );
});

bot.onCardAction("decide", async (ctx) => {
  if (decided.has(ctx.message.messageId)) return;
  const { what, by, approved } = ctx.action.value;
  await ctx.updateCard(
    card({
      header: {
        title: { content: approved ? "Approved" : "Rejected" },
        template: approved ? "green" : "red",
      },
      elements: [
        plainText(String(what)),
        note(`Asked by ${by}`),
        markdown(`${approved ? "Approved" : "Rejected"} by **${ctx.operator.name}**`),
      ],
    }),
  );
  decided.add(ctx.message.messageId);
  if (decided.size > REMEMBERED) decided.delete(decided.values().next().value);
});

process.once("SIGTERM", () => bot.stop());
await bot.start();
console.log("listening");
