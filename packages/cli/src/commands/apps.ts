import { parseArgs } from "node:util";
import { APP_STATES, APP_TYPES } from "@portico/protocol";
import { TENANT_HELP } from "../apps.ts";
import { type Command, oneOf, UsageError, wholeNumber } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { DEVELOPER_HELP, DEVELOPER_OPTIONS, developerLogin } from "../developer-settings.ts";
import { memberOf, textOf } from "../json.ts";
import { pageLine, readPage } from "../pages.ts";
import { inOneLine, print, printableJson, table } from "../terminal.ts";

const HEADINGS = ["app", "type", "status", "review", "tenant", "name"] as const;

/** `portico apps`: the applications of a developer's tenants. */
export const apps: Command = {
  name: "apps",
  summary: "List the apps of the developer's tenants",
  usage: "portico apps [OPTIONS]",
  help: `  --status STATE  ${APP_STATES.join(", ")}
  --type TYPE     ${APP_TYPES.join(", ")}
  --keyword TEXT  part of the name or of the id
${TENANT_HELP} (default: all of the developer's)
  --page N        a page of the list, newest first (default 1)
  --json          print the answer as JSON
"review" is what became of the last submission. \`portico apps show APP_ID\` tells all of one; see also
\`portico apps create\`, \`submit\` and \`scopes\`.

Examples:
  portico apps
  portico apps --status IN_REVIEW --type BOT

${DEVELOPER_HELP}`,
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...DEVELOPER_OPTIONS,
        status: { type: "string" },
        type: { type: "string" },
        keyword: { type: "string" },
        tenant: { type: "string" },
        page: { type: "string" },
        json: { type: "boolean" },
      },
    });
    if (positionals.length > 0) throw new UsageError("takes no arguments; `portico apps show APP_ID` shows one");
    const query = {
      status: values.status === undefined ? undefined : oneOf(APP_STATES, values.status, "--status"),
      type: values.type === undefined ? undefined : oneOf(APP_TYPES, values.type, "--type"),
      keyword: values.keyword,
      page: values.page === undefined ? undefined : String(wholeNumber(values.page, "--page")),
    };
    await using api = new ConsoleApi(await developerLogin(values));
    const { value, text } = await api.call("GET", ["apps"], { query, tenantId: values.tenant });
    if (values.json) return print(printableJson(text));
    const page = readPage(value, "apps");
    if (page.total === 0) return print("no apps");
    print(...table([HEADINGS, ...page.items.map(rowOf)]), "", pageLine(page));
  },
};

function rowOf(app: unknown): string[] {
  const review = textOf(memberOf(app, "review"), "state") ?? "-";
  const [appId = "?", type = "?", status = "?", tenantId = "?", name = "?"] = [
    textOf(app, "appId"),
    textOf(app, "type"),
    textOf(app, "status"),
    textOf(app, "tenantId"),
    textOf(app, "displayName"),
  ];
  return [appId, type, status, review, tenantId, name].map(inOneLine);
}
