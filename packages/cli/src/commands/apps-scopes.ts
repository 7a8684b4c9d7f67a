import { scopeLines, scopesOf } from "../apps.ts";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { collect } from "../option-kinds.ts";
import { print, printableJson } from "../terminal.ts";

/** `portico apps scopes`: shows, requests and withdraws the scopes of an application. */
export const appsScopes: Command = {
  name: "apps scopes",
  summary: "List an app's scopes, ask for more, or give one up",
  usage: "portico apps scopes APP_ID [--request SCOPE,SCOPE [--note TEXT] | --drop SCOPE] [OPTIONS]",
  notes: `A scope is GRANTED, REQUESTED or NONE of these. Those that are asked for are granted by review: submit the app; one
that is ACTIVE need not be submitted.`,
  examples: ["portico apps scopes app_1", "portico apps scopes app_1 --request bot.message.send,bot.message.reply"],
  advice: {
    "403": "Only the owner asks for scopes, and only for those of the app's type, which it lists without --request.",
    "404": "Check the app's id, that this developer belongs to its tenant, and that the app has the scope.",
    "409": "It cannot be done now, as the message says.",
  },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        // Several are also taken apart by blanks, as people write lists.
        .argument("[SCOPE...]")
        .option("--request <SCOPE>", "ask for a scope, or for several joined by commas", collect)
        .option("--drop <SCOPE>", "give up a scope, granted or asked for")
        .option(
          "--note <TEXT>",
          "what the reviewer should know; of an ACTIVE app, whose scopes are reviewed without a submission",
        )
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, more, values) => {
      const { request, drop, note } = values;
      if (request !== undefined && drop !== undefined) throw new UsageError("--request and --drop exclude each other");
      if (note !== undefined && request === undefined) throw new UsageError("--note goes with --request");
      if (request === undefined && more.length > 0)
        throw new UsageError(`${more.length === 1 ? "1 argument" : `${more.length} arguments`} too many`);
      const requested = request === undefined ? undefined : scopesOf([...request, ...more], "--request");
      const [dropped] = drop === undefined ? [] : scopesOf([drop], "--drop");
      const params = { appId };
      await using api = new ConsoleApi(await developerLogin(values));
      const scopes =
        requested !== undefined
          ? await api.console.requestScopes({ params, body: { scopes: requested, note } })
          : dropped === undefined
            ? await api.console.listAppScopes({ params })
            : await api.console.dropScope({ params: { appId, scope: dropped } });
      print(...(values.json ? [printableJson(api.textOf(scopes))] : scopeLines(scopes)));
    }),
};
