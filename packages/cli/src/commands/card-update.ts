import { botClient } from "../bot-client.ts";
import { readCard } from "../card-input.ts";
import { type Command, messageIdOf } from "../command.ts";
import { numberFor } from "../option-kinds.ts";
import { sentLine } from "../sent-line.ts";
import { credentials, withCredentials } from "../settings.ts";
import { print, printableJson } from "../terminal.ts";

/** `portico card update`: replaces a card that the bot sent. */
export const cardUpdate: Command = {
  name: "card update",
  summary: "Replace a card that the bot sent",
  usage: "portico card update MESSAGE_ID FILE [OPTIONS]",
  notes: `FILE holds the whole new card and is checked before it is sent; - is standard input.`,
  examples: ["portico card update 17 card.json", "portico card update 17 card.json --version 1"],
  rules: ["message-not-sent"],
  advice: {
    "500000": "With --version, the card most likely has another version by now. Without, try again later.",
  },
  configure: (command) =>
    withCredentials(
      command
        .argument("<MESSAGE_ID>")
        .argument("<FILE>")
        .option(
          "--version <N>",
          "only if the card still has this version; a card just sent has 1, and each update adds 1",
          numberFor("--version"),
        )
        .option("--json", "print the answer's value as JSON"),
    ).action(async (message, file, values) => {
      const messageId = messageIdOf(message, "MESSAGE_ID");
      const { bot } = botClient(await credentials(values));
      const sent = await bot.updateCard({ messageId, version: values.version, card: await readCard(file) });
      print(values.json ? printableJson(JSON.stringify(sent)) : sentLine(sent));
    }),
};
