import { INSTALLATION_STATES, TARGET_TYPES } from "@portico/protocol";
import type { Installation } from "@portico/sdk";
import { botClient } from "../bot-client.ts";
import type { Command } from "../command.ts";
import { wordOption } from "../option-kinds.ts";
import { credentials, withCredentials } from "../settings.ts";
import { inOneLine, isoTime, print, printableJson } from "../terminal.ts";

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
        .addOption(wordOption("--status <STATE>", "installations in this state only", INSTALLATION_STATES))
        .option("--json", "print a list of what the service answers, as JSON"),
    ).action(async (values) => {
      const { type, status, json = false, ...given } = values;
      const filter = {
        ...(type !== undefined && { targetType: type }),
        ...(status !== undefined && { status }),
      };
      const { bot } = botClient(await credentials(given));
      await (json ? printList : printLines)(bot.installations(filter));
    }),
};

/** Printed one by one, because there may be very many. */
async function printLines(found: AsyncIterable<Installation>): Promise<void> {
  for await (const { targetType, targetId, status, name, installedAt } of found) {
    print(inOneLine(`${targetType.padEnd(5)}  ${targetId}  ${status}  ${isoTime(installedAt)}  ${name}`));
  }
}

/** One array, printed as it comes: when a later page fails, it is left without its end, which no reader takes for whole. */
async function printList(found: AsyncIterable<Installation>): Promise<void> {
  let before = "[";
  for await (const each of found) {
    print(`${before}${printableJson(JSON.stringify(each))}`);
    before = ",";
  }
  print(before === "[" ? "[]" : "]");
}
