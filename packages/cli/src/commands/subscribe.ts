import { parseArgs } from "node:util";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { unpromised } from "../console-exchange.ts";
import { DEVELOPER_HELP, DEVELOPER_OPTIONS, developerLogin } from "../developer-settings.ts";
import { eventTypeOf } from "../event-options.ts";
import { textOf } from "../json.ts";
import { complain, print, printable } from "../terminal.ts";

/** `portico subscribe`: has an app's events of one type delivered to an address. */
export const subscribe: Command = {
  name: "subscribe",
  summary: "Have an app's events of one type delivered to an address",
  usage: "portico subscribe APP_ID EVENT_TYPE URL [--inactive] [OPTIONS]",
  help: `  --inactive  note it, but deliver nothing yet
URL must be public and https. The webhook secret is new each time, and the former one no longer holds. It is shown this
once, alone on standard output, so that \`portico subscribe … > webhook-secret\` keeps it.

${DEVELOPER_HELP}`,
  advice: {
    "400": "Correct what the message names; an address must be https, and all its addresses public.",
    "403": "Log in as the owner of the app; for an event that needs a scope, ask for that first.",
  },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...DEVELOPER_OPTIONS, inactive: { type: "boolean" } },
    });
    const [appId, type, callbackUrl, ...more] = positionals;
    if (appId === undefined || type === undefined || callbackUrl === undefined) {
      throw new UsageError("APP_ID, EVENT_TYPE and URL are needed");
    }
    if (more.length > 0) throw new UsageError(`${more.length} arguments too many`);
    const eventType = eventTypeOf(type, "EVENT_TYPE");
    const body = { callbackUrl, status: values.inactive ? "INACTIVE" : "ACTIVE" };
    await using api = new ConsoleApi(await developerLogin(values));
    const { value } = await api.call("PUT", ["apps", appId, "subscriptions", eventType], { body });
    print(printable(textOf(value, "secret") ?? unpromised("a subscription")));
    complain(
      `subscribed to ${eventType}; the line on standard output is the webhook secret`,
      "Store it now: it is not shown again, and the secret that this type may have had before no longer holds.",
    );
  },
};
