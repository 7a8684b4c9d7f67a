import { botClient } from "../bot-client.ts";
import { type Command, messageIdOf } from "../command.ts";
import { credentials, withCredentials } from "../settings.ts";
import { print } from "../terminal.ts";

/** `portico card recall`: recalls a card that the bot sent. */
export const cardRecall: Command = {
  name: "card recall",
  summary: "Take back a card that the bot sent",
  usage: "portico card recall MESSAGE_ID [OPTIONS]",
  examples: ["portico card recall 17"],
  rules: ["message-not-sent"],
  configure: (command) =>
    withCredentials(
      command
        .argument("<MESSAGE_ID>")
        .option("--json", "print the answer's value as JSON: whether it was this call that took the card back"),
    ).action(async (message, values) => {
      const messageId = messageIdOf(message, "MESSAGE_ID");
      const recalled = await botClient(await credentials(values)).bot.recallCard(messageId);
      if (values.json) return print(JSON.stringify(recalled));
      print(recalled ? "recalled" : "had been recalled before");
    }),
};
