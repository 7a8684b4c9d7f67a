import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { atMostOne } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { collect, wordOption } from "../option-kinds.ts";
import { columns, inOneLine, print, printableJson } from "../terminal.ts";

const SWITCH = ["on", "off"] as const;

/** `portico apps update`: changes an application's profile, the sites that its widget may be put on, and for whom it is. */
export const appsUpdate: Command = {
  name: "apps update",
  summary: "Change an app's name, description or picture, or where and for whom its widget is",
  usage:
    "portico apps update APP_ID [--name NAME] [--description TEXT] [--avatar URL] [--origin URL...] [--anonymous-visitors on|off] [OPTIONS]",
  notes: `The origins replace those that were allowed before. They and --anonymous-visitors are of customer-service apps only.`,
  examples: [
    'portico apps update app_1 --name "Build bot"',
    "portico apps update app_2 --origin https://shop.example.com --origin https://example.com",
    "portico apps update app_2 --anonymous-visitors on",
  ],
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--name <NAME>", "what people see")
        .option("--description <TEXT>", "what it does; an empty text removes it")
        .option("--avatar <URL>", "an http or https address of a picture; an empty text removes it")
        .option("--origin <URL>", "a site that its widget may be put on; can be repeated", collect)
        .option("--no-origins", "no site may have its widget")
        .addOption(
          wordOption("--anonymous-visitors <on|off>", "whether visitors whom the site does not name may write", SWITCH),
        )
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, values) => {
      const { name: displayName, description, avatar, origin, anonymousVisitors: asked } = values;
      const none = values.origins === false ? [] : undefined;
      atMostOne({ "--origin": origin, "--no-origins": none });
      const anonymousVisitors = asked === undefined ? undefined : asked === "on";
      const body = { displayName, description, avatar, allowedOrigins: origin ?? none, anonymousVisitors };
      if (Object.values(body).every((value) => value === undefined)) throw new UsageError("nothing to change");
      await using api = new ConsoleApi(await developerLogin(values));
      const app = await api.console.updateApp({ params: { appId }, body });
      if (values.json) return print(printableJson(api.textOf(app)));
      const rows = [
        ["app", app.appId],
        ["name", app.displayName],
        ["description", app.description || "-"],
        ["avatar", app.avatar || "-"],
        ["origins", app.allowedOrigins.join(", ") || "-"],
        ["anonymous visitors", app.anonymousVisitors ? "on" : "off"],
      ] as const;
      print(...columns(rows).map(inOneLine));
    }),
};
