import { APP_STATES, APP_TYPES, type ConsoleAppView } from "@portico/protocol";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { numberFor, wordOption } from "../option-kinds.ts";
import { pageLine } from "../pages.ts";
import { inOneLine, print, printableJson, table } from "../terminal.ts";

const HEADINGS = ["app", "type", "status", "review", "tenant", "name"] as const;

/** `portico apps`: lists the applications of a developer's tenants. */
export const apps: Command = {
  name: "apps",
  summary: "List the apps of the developer's tenants",
  usage: "portico apps [OPTIONS]",
  notes: `"review" is what became of the last submission. \`portico apps show APP_ID\` tells all of one; see also
\`portico apps create\`, \`submit\` and \`scopes\`.`,
  examples: ["portico apps", "portico apps --status IN_REVIEW --type BOT"],
  tooMany: "; `portico apps show APP_ID` shows one",
  configure: (command) =>
    withDeveloper(
      command
        .addOption(wordOption("--status <STATE>", "apps in this state", APP_STATES))
        .addOption(wordOption("--type <TYPE>", "apps of this type", APP_TYPES))
        .option("--keyword <TEXT>", "part of the name or of the id")
        .option("--tenant <ID>", "the tenant (default: all of the developer's)")
        .option("--page <N>", "a page of the list, newest first (default 1)", numberFor("--page"))
        .option("--json", "print the answer as JSON"),
    ).action(async (values) => {
      const { status, type, keyword, page, tenant } = values;
      const query = { status, type, keyword, page };
      await using api = new ConsoleApi(await developerLogin(values));
      const found = await api.console.listApps({ query }, { tenantId: tenant });
      if (values.json) return print(printableJson(api.textOf(found)));
      if (found.total === 0) return print("no apps");
      print(...table([HEADINGS, ...found.items.map(rowOf)]), "", pageLine(found));
    }),
};

function rowOf({ appId, type, status, review, tenantId, displayName }: ConsoleAppView): string[] {
  return [appId, type, status, review?.state ?? "-", tenantId, displayName].map(inOneLine);
}
