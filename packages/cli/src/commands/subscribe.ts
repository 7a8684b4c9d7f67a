import { EVENT_TYPES } from "@portico/protocol";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { wordArgument } from "../option-kinds.ts";
import { SecretFile } from "../secret-file.ts";
import { complain, print, printable, printableJson, printJson } from "../terminal.ts";

/** `portico subscribe`: subscribes an app to events of a type at a callback URL. */
export const subscribe: Command = {
  name: "subscribe",
  summary: "Have an app's events of one type delivered to an address, or by socket",
  usage: "portico subscribe APP_ID EVENT_TYPE URL|--socket [--secret-file FILE] [--inactive] [OPTIONS]",
  notes: `URL must be public and https; \`portico listen --forward\` brings events to a receiver on this machine. The webhook secret is new each time, and the former one no longer holds. It is shown this
once, alone on standard output; with --secret-file it is written to a file instead, which is left alone when the command fails,
as a file after \`>\` would not be. By socket the events come over
connections that the bot opens, as a bot of the SDK and \`portico listen\` do: neither address nor secret is needed.`,
  examples: [
    "portico subscribe app_1 im.message.receive_v1 https://bot.example.com/webhook --secret-file webhook-secret",
    "portico subscribe app_1 im.message.receive_v1 --socket",
  ],
  advice: {
    "400":
      "Correct what the message names; an address must be https, and all its addresses public. A receiver on this machine gets events by `portico listen --forward http://localhost:3000/webhook`, or use --socket.",
    "403": "Log in as the owner of the app; for an event that needs a scope, ask for that first.",
  },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .addArgument(wordArgument("<EVENT_TYPE>", EVENT_TYPES))
        .argument("[URL]")
        .option("--socket", "over connections that the bot opens, in place of an address")
        .option("--secret-file <FILE>", "write the secret to this file, readable by this user alone, once it is there")
        .option("--inactive", "note it, but deliver nothing yet")
        .option(
          "--json",
          "print {eventType, transport, secret}, without the secret by socket or where --secret-file has it",
        ),
    ).action(async (appId, eventType, callbackUrl, values) => {
      const { socket = false, secretFile } = values;
      if (socket && secretFile !== undefined) throw new UsageError("a subscription by socket needs no --secret-file");
      if ((callbackUrl !== undefined) === socket) throw new UsageError("give either a URL or --socket");
      const status = values.inactive ? ("INACTIVE" as const) : ("ACTIVE" as const);
      const body = socket ? { transport: "SOCKET" as const, status } : { callbackUrl, status };
      await using api = new ConsoleApi(await developerLogin(values));
      await using file = secretFile === undefined ? null : await SecretFile.prepare(secretFile);
      const { secret } = await api.console.subscribe({ params: { appId, eventType }, body });
      const made = { eventType, transport: socket ? "SOCKET" : "WEBHOOK" };
      const shown = values.json ? printableJson(JSON.stringify({ ...made, secret })) : printable(secret);
      if (socket) {
        if (values.json) printJson(made);
        return complain(`subscribed to ${eventType} by socket: start the bot, or look with \`portico listen\``);
      }
      if (file !== null) {
        await keep(file, secret, shown);
        if (values.json) printJson(made);
        return complain(
          printable(`subscribed to ${eventType}; ${secretFile} has the webhook secret, the former one no longer holds`),
        );
      }
      print(shown);
      complain(
        `subscribed to ${eventType}; the line on standard output ${values.json ? "has" : "is"} the webhook secret`,
        "Store it now: it is not shown again, and the secret that this type may have had before no longer holds.",
      );
    }),
};

/** The former secret no longer holds, so that the new one must not be lost, whatever becomes of the file. */
async function keep(file: SecretFile, secret: string, shown: string): Promise<void> {
  try {
    await file.keep(secret);
  } catch (error) {
    print(shown);
    complain("subscribed, but the file could not be written: the line on standard output is the webhook secret");
    throw error;
  }
}
