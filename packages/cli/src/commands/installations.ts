import { parseArgs } from "node:util";
import { INSTALLATION_STATES, TARGET_TYPES } from "@portico/protocol";
import { botClient } from "../bot-client.ts";
import { type Command, oneOf, UsageError } from "../command.ts";
import { CREDENTIAL_HELP, CREDENTIAL_OPTIONS, credentials } from "../settings.ts";
import { inOneLine, isoTime, print } from "../terminal.ts";

/** `portico installations`: where the bot can send to. */
export const installations: Command = {
  name: "installations",
  summary: "List the conversations that the bot is or was installed in",
  usage: "portico installations [OPTIONS]",
  help: `One line each, in the order of installation: type, id, state, when it was installed, name.
  --type TYPE     ${TARGET_TYPES.join(" or ")} only
  --status STATE  ${INSTALLATION_STATES.join(" or ")} only

${CREDENTIAL_HELP}`,
  advice: { "400007": "Ask for the scope bot.installation.read in the console." },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...CREDENTIAL_OPTIONS, type: { type: "string" }, status: { type: "string" } },
    });
    if (positionals.length > 0) throw new UsageError("takes no arguments");
    const { type, status, ...given } = values;
    const filter = {
      ...(type !== undefined && { targetType: oneOf(TARGET_TYPES, type, "--type") }),
      ...(status !== undefined && { status: oneOf(INSTALLATION_STATES, status, "--status") }),
    };
    const { bot } = botClient(await credentials(given));
    // Printed as they come: there may be any number.
    for await (const { targetType, targetId, status, name, installedAt } of bot.installations(filter)) {
      print(inOneLine(`${targetType.padEnd(5)}  ${targetId}  ${status}  ${isoTime(installedAt)}  ${name}`));
    }
  },
};
