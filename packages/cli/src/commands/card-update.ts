import { parseArgs } from "node:util";
import { botClient } from "../bot-client.ts";
import { readCard } from "../card-input.ts";
import { type Command, messageIdOf, UsageError, wholeNumber } from "../command.ts";
import { sentLine } from "../sent-line.ts";
import { CREDENTIAL_HELP, CREDENTIAL_OPTIONS, credentials } from "../settings.ts";
import { print, printableJson } from "../terminal.ts";

/** `portico card update`: replaces a card that the bot sent. */
export const cardUpdate: Command = {
  name: "card update",
  summary: "Replace a card that the bot sent",
  usage: "portico card update MESSAGE_ID FILE [OPTIONS]",
  help: `  --version N   only if the card still has this version; a card just sent has 1, and each update adds 1
  --json        print the answer's value as JSON
FILE holds the whole new card and is checked before it is sent; - is standard input.

${CREDENTIAL_HELP}`,
  rules: ["message-not-sent"],
  advice: {
    "500000": "With --version, the card most likely has another version by now. Without, try again later.",
  },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...CREDENTIAL_OPTIONS, version: { type: "string" }, json: { type: "boolean" } },
    });
    const [message, file, ...more] = positionals;
    if (message === undefined || file === undefined) throw new UsageError("MESSAGE_ID and FILE are needed");
    if (more.length > 0) throw new UsageError(`${more.length} arguments too many`);
    const messageId = messageIdOf(message, "MESSAGE_ID");
    const version = values.version === undefined ? undefined : wholeNumber(values.version, "--version");
    const { bot } = botClient(await credentials(values));
    const sent = await bot.updateCard({ messageId, version, card: await readCard(file) });
    print(values.json ? printableJson(JSON.stringify(sent)) : sentLine(sent));
  },
};
