import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { tenantOfApp } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { installPlaceOf } from "../install-place.ts";
import { memberApi } from "../member-api.ts";
import { memberLogin } from "../member-settings.ts";
import { inOneLine, print, printableJson } from "../terminal.ts";

/** `portico install`: installs a bot for a member, or in a group. */
export const install: Command = {
  name: "install",
  summary: "Install a bot for a member, or in a group",
  usage: "portico install APP_ID ACCOUNT|group:ID|user:ID [--user NAME] [--tenant ID] [OPTIONS]",
  notes: `A developer installs it for a member, by username. In a group a member of it does: --user, with the --tenant and
--password-file of that member, or --as with the name of that member's login; without them the demo's member.`,
  examples: [
    "portico install app_1 ann",
    "portico install app_1 group:g_team --user ann --tenant t_acme --password-file pw",
  ],
  advice: {
    "404": "Check the app's id, and the member's username; `portico apps` lists the apps.",
    "409": "The app must be an ACTIVE bot, and the member enabled.",
    "400001": "Check tenant, username and password.",
    "400008": "The app must be an ACTIVE bot of the tenant, and the member must belong to the group.",
  },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .argument("<WHERE>")
        .option("--user <NAME>", "the member who installs it in a group")
        .option("--tenant <ID>", "the member's tenant (default: that of the app)")
        .option("--json", "print the installation as JSON"),
    ).action(async (appId, where, values) => {
      const place = installPlaceOf(where);
      if ("targetType" in place) {
        const api = await memberApi(await memberLogin(values));
        return show(await api.installBot({ body: { appId, ...place } }), values.json);
      }
      if (values.user !== undefined) throw new UsageError("--user goes with group:ID or user:ID");
      await using api = new ConsoleApi(await developerLogin(values));
      const tenantId = await tenantOfApp(api, appId, values.tenant);
      show(await api.console.installForMember({ params: { appId }, body: place }, { tenantId }), values.json);
    }),
};

function show(
  installation: { targetType: string; targetId: string; status: string; name: string },
  json = false,
): void {
  const { targetType, targetId, status, name } = installation;
  print(
    json ? printableJson(JSON.stringify(installation)) : inOneLine(`${targetType}  ${targetId}  ${status}  ${name}`),
  );
}
