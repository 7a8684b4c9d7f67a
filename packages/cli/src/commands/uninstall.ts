import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { tenantOfApp } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { installPlaceOf } from "../install-place.ts";
import { inOneLine, print, printableJson } from "../terminal.ts";

/** `portico uninstall`: uninstalls a bot from a member or a group. */
export const uninstall: Command = {
  name: "uninstall",
  summary: "Uninstall a bot from a member or a group",
  usage: "portico uninstall APP_ID ACCOUNT|group:ID|user:ID [OPTIONS]",
  notes: `The conversation stays readable. \`portico installations\` lists where the bot is; \`portico install\` takes this back.`,
  examples: ["portico uninstall app_1 ann", "portico uninstall app_1 group:g_team"],
  advice: { "404": "Check the ids of the app and of the conversation, and that the bot is installed there." },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .argument("<WHERE>")
        .option("--tenant <ID>", "the tenant (default: that of the app)")
        .option("--json", "print the installation as JSON"),
    ).action(async (appId, where, values) => {
      const body = installPlaceOf(where);
      await using api = new ConsoleApi(await developerLogin(values));
      const tenantId = await tenantOfApp(api, appId, values.tenant);
      const installation = await api.console.uninstall({ params: { appId }, body }, { tenantId });
      const { targetType, targetId, status, name } = installation;
      print(
        values.json
          ? printableJson(api.textOf(installation))
          : inOneLine(`${targetType}  ${targetId}  ${status}  ${name}`),
      );
    }),
};
