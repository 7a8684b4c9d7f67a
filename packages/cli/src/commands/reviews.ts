import { reviewScopes } from "../apps.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { memberOf, numberOf, textOf } from "../json.ts";
import { OPERATOR_ADVICE } from "../operator-advice.ts";
import { numberFor, wordOption } from "../option-kinds.ts";
import { pageLine, readPage } from "../pages.ts";
import { columns, inOneLine, isoTime, print, printableJson } from "../terminal.ts";

const STATES = ["PENDING", "APPROVED", "REJECTED", "WITHDRAWN"] as const;

/** `portico reviews`: what developers have submitted. */
export const reviews: Command = {
  name: "reviews",
  summary: "List what waits for review, for operators",
  usage: "portico reviews [OPTIONS]",
  examples: [
    "portico reviews",
    'portico approve app_1 --comment "Welcome"',
    'portico reject app_1 --comment "Please say in the description what it is for"',
  ],
  advice: { ...OPERATOR_ADVICE },
  configure: (command) =>
    withDeveloper(
      command
        .addOption(wordOption("--state <STATE>", "reviews in this state (default PENDING)", STATES))
        .option(
          "--page <N>",
          "a page of the list: what waits oldest first, all else newest first (default 1)",
          numberFor("--page"),
        )
        .option("--json", "print the answer as JSON"),
      "operator",
    ).action(async (values) => {
      const query = {
        state: values.state,
        page: values.page === undefined ? undefined : String(values.page),
      };
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      const { value, text } = await api.call("GET", ["operator", "reviews"], { query });
      if (values.json) return print(printableJson(text));
      const page = readPage(value, "reviews");
      if (page.total === 0) return print("no reviews");
      print(...page.items.flatMap((review) => [...linesOf(review), ""]), pageLine(page));
    }),
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
