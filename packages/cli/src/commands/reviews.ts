import { parseArgs } from "node:util";
import { reviewScopes } from "../apps.ts";
import { type Command, oneOf, UsageError, wholeNumber } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { DEVELOPER_OPTIONS, developerLogin, OPERATOR_HELP } from "../developer-settings.ts";
import { memberOf, numberOf, textOf } from "../json.ts";
import { OPERATOR_ADVICE } from "../operator-advice.ts";
import { pageLine, readPage } from "../pages.ts";
import { columns, inOneLine, isoTime, print, printableJson } from "../terminal.ts";

const STATES = ["PENDING", "APPROVED", "REJECTED", "WITHDRAWN"] as const;

/** `portico reviews`: what developers have submitted. */
export const reviews: Command = {
  name: "reviews",
  summary: "List what waits for review, for operators",
  usage: "portico reviews [OPTIONS]",
  help: `  --state STATE  ${STATES.join(", ")} (default PENDING)
  --page N       a page of the list: what waits oldest first, all else newest first (default 1)
  --json         print the answer as JSON

Examples:
  portico reviews
  portico approve app_1 --comment "Welcome"
  portico reject app_1 --comment "Please say in the description what it is for"

${OPERATOR_HELP}`,
  advice: { ...OPERATOR_ADVICE },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...DEVELOPER_OPTIONS, state: { type: "string" }, page: { type: "string" }, json: { type: "boolean" } },
    });
    if (positionals.length > 0) throw new UsageError("takes no arguments");
    const query = {
      state: values.state === undefined ? undefined : oneOf(STATES, values.state, "--state"),
      page: values.page === undefined ? undefined : String(wholeNumber(values.page, "--page")),
    };
    await using api = new ConsoleApi(await developerLogin(values, "operator"));
    const { value, text } = await api.call("GET", ["operator", "reviews"], { query });
    if (values.json) return print(printableJson(text));
    const page = readPage(value, "reviews");
    if (page.total === 0) return print("no reviews");
    print(...page.items.flatMap((review) => [...linesOf(review), ""]), pageLine(page));
  },
};

function linesOf(review: unknown): string[] {
  const app = memberOf(review, "app");
  const owner = memberOf(review, "owner");
  const [submittedAt, reviewedAt] = [numberOf(review, "submittedAt"), numberOf(review, "reviewedAt")];
  const rows: [string, string][] = [
    ["name", textOf(app, "displayName") ?? "?"],
    ["description", textOf(app, "description") || "-"],
    ["tenant", textOf(app, "tenantId") ?? "?"],
    ["owner", `${textOf(owner, "name") ?? "-"} ${textOf(owner, "phone") ?? ""}`],
    ["submitted", submittedAt === undefined ? "?" : isoTime(submittedAt)],
    ["asks for", reviewScopes(review)],
    ["note", textOf(review, "note") || "-"],
  ];
  if (reviewedAt !== undefined) {
    const by = textOf(review, "reviewedBy") ?? "?";
    rows.push(["reviewed", `${textOf(review, "state") ?? "?"} ${isoTime(reviewedAt)} by ${by}`]);
    rows.push(["comment", textOf(review, "comment") || "-"]);
  }
  const title = `${textOf(app, "appId") ?? "?"}  ${textOf(app, "type") ?? "?"}  ${textOf(app, "status") ?? "?"}`;
  return [title, ...columns(rows).map((line) => `  ${line}`)].map(inOneLine);
}
