import { EVENT_TYPES } from "@portico/protocol";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { wordArgument } from "../option-kinds.ts";
import { complain, print, printable } from "../terminal.ts";

/** `portico subscribe`: subscribes an app to events of a type at a callback URL. */
export const subscribe: Command = {
  name: "subscribe",
  summary: "Have an app's events of one type delivered to an address, or by socket",
  usage: "portico subscribe APP_ID EVENT_TYPE URL|--socket [--inactive] [OPTIONS]",
  notes: `URL must be public and https. The webhook secret is new each time, and the former one no longer holds. It is shown this
once, alone on standard output, so that \`portico subscribe … > webhook-secret\` keeps it. By socket the events come over
connections that the bot opens, as a bot of the SDK and \`portico listen\` do: neither address nor secret is needed.`,
  examples: [
    "portico subscribe app_1 im.message.receive_v1 https://bot.example.com/webhook > webhook-secret",
    "portico subscribe app_1 im.message.receive_v1 --socket",
  ],
  advice: {
    "400": "Correct what the message names; an address must be https, and all its addresses public.",
    "403": "Log in as the owner of the app; for an event that needs a scope, ask for that first.",
  },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .addArgument(wordArgument("<EVENT_TYPE>", EVENT_TYPES))
        .argument("[URL]")
        .option("--socket", "over connections that the bot opens, in place of an address")
        .option("--inactive", "note it, but deliver nothing yet"),
    ).action(async (appId, eventType, callbackUrl, values) => {
      const { socket = false } = values;
      if ((callbackUrl !== undefined) === socket) throw new UsageError("give either a URL or --socket");
      const status = values.inactive ? ("INACTIVE" as const) : ("ACTIVE" as const);
      const body = socket ? { transport: "SOCKET" as const, status } : { callbackUrl, status };
      await using api = new ConsoleApi(await developerLogin(values));
      const { secret } = await api.console.subscribe({ params: { appId, eventType }, body });
      if (socket) {
        return complain(`subscribed to ${eventType} by socket: start the bot, or look with \`portico listen\``);
      }
      print(printable(secret));
      complain(
        `subscribed to ${eventType}; the line on standard output is the webhook secret`,
        "Store it now: it is not shown again, and the secret that this type may have had before no longer holds.",
      );
    }),
};
