import { parseArgs } from "node:util";
import { botClient } from "../bot-client.ts";
import { type Command, UsageError } from "../command.ts";
import { CREDENTIAL_HELP, CREDENTIAL_OPTIONS, credentials } from "../settings.ts";
import { columns, print, printable } from "../terminal.ts";

/** `portico whoami`: the app that the credentials belong to. */
export const whoami: Command = {
  name: "whoami",
  summary: "Show the app that the credentials belong to",
  usage: "portico whoami [OPTIONS]",
  help: CREDENTIAL_HELP,
  async run(args) {
    const { values, positionals } = parseArgs({ args, options: CREDENTIAL_OPTIONS, allowPositionals: true });
    if (positionals.length > 0) throw new UsageError("takes no arguments");
    const found = await credentials(values);
    for (const app of await botClient(found).bot.listApps()) {
      const rows = [
        ["app", app.appId],
        ["type", app.type],
        ["status", app.status],
        ["name", app.displayName],
        ["scopes", app.scopes.join(", ")],
        ["service", found.baseUrl],
      ] as const;
      print(...columns(rows).map(printable));
    }
  },
};
