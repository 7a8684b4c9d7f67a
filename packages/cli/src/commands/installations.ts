import { INSTALLATION_STATES, TARGET_TYPES } from "@portico/protocol";
import { botClient } from "../bot-client.ts";
import type { Command } from "../command.ts";
import { wordOption } from "../option-kinds.ts";
import { credentials, withCredentials } from "../settings.ts";
import { inOneLine, isoTime, print } from "../terminal.ts";

/** `portico installations`: lists the conversations in which the bot is installed. */
export const installations: Command = {
  name: "installations",
  summary: "List the conversations that the bot is or was installed in",
  usage: "portico installations [OPTIONS]",
  notes: `One line each, in the order of installation: type, id, state, when it was installed, name.`,
  examples: ["portico installations", "portico installations --type GROUP --status ACTIVE"],
  advice: { "400007": "Ask for the scope bot.installation.read in the console." },
  configure: (command) =>
    withCredentials(
      command
        .addOption(wordOption("--type <TYPE>", "conversations of this type only", TARGET_TYPES))
        .addOption(wordOption("--status <STATE>", "installations in this state only", INSTALLATION_STATES)),
    ).action(async (values) => {
      const { type, status, ...given } = values;
      const filter = {
        ...(type !== undefined && { targetType: type }),
        ...(status !== undefined && { status }),
      };
      const { bot } = botClient(await credentials(given));
      // Printed one by one, because there may be very many.
      for await (const { targetType, targetId, status, name, installedAt } of bot.installations(filter)) {
        print(inOneLine(`${targetType.padEnd(5)}  ${targetId}  ${status}  ${isoTime(installedAt)}  ${name}`));
      }
    }),
};
