import { parseArgs } from "node:util";
import { botClient } from "../bot-client.ts";
import { type Command, messageIdOf, onlyArgument } from "../command.ts";
import { CREDENTIAL_HELP, CREDENTIAL_OPTIONS, credentials } from "../settings.ts";
import { print } from "../terminal.ts";

/** `portico card recall`: takes back a card that the bot sent. */
export const cardRecall: Command = {
  name: "card recall",
  summary: "Take back a card that the bot sent",
  usage: "portico card recall MESSAGE_ID [OPTIONS]",
  help: `  --json   print the answer's value as JSON: whether it was this call that took the card back

${CREDENTIAL_HELP}`,
  rules: ["message-not-sent"],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...CREDENTIAL_OPTIONS, json: { type: "boolean" } },
    });
    const messageId = messageIdOf(onlyArgument(positionals, "MESSAGE_ID"), "MESSAGE_ID");
    const recalled = await botClient(await credentials(values)).bot.recallCard(messageId);
    if (values.json) return print(JSON.stringify(recalled));
    print(recalled ? "recalled" : "had been recalled before");
  },
};
