import { readFileSync } from "node:fs";
import { createBot } from "@portico/sdk";

const bot = createBot(JSON.parse(readFileSync("profile.json", "utf8")));
bot.on("message", (ctx) => ctx.reply(`You said: ${ctx.command}`));
process.once("SIGTERM", () => bot.stop());
await bot.start();
console.log("listening");
