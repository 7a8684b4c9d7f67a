import type { EndpointValue, OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { askedScopes } from "../apps.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { OPERATOR_ADVICE } from "../operator-advice.ts";
import { numberFor, wordOption } from "../option-kinds.ts";
import { pageLine } from "../pages.ts";
import { columns, inOneLine, isoTime, print, printableJson } from "../terminal.ts";

const STATES = ["PENDING", "APPROVED", "REJECTED", "WITHDRAWN"] as const;

/** `portico reviews`: lists the submitted applications. */
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
      const { state, page } = values;
      await using api = new ConsoleApi(await developerLogin(values, "operator"));
      const found = await api.operator.listReviews({ query: { state, page } });
      if (values.json) return print(printableJson(api.textOf(found)));
      if (found.total === 0) return print("no reviews");
      print(...found.items.flatMap((review) => [...linesOf(review), ""]), pageLine(found));
    }),
};

type Review = EndpointValue<typeof OPERATOR_ENDPOINTS.listReviews>["items"][number];

function linesOf({ app, owner, submittedAt, scopes, note, reviewedAt, reviewedBy, state, comment }: Review): string[] {
  const rows: [string, string][] = [
    ["name", app.displayName],
    ["description", app.description || "-"],
    ["tenant", app.tenantId],
    ["owner", `${owner?.name ?? "-"} ${owner?.phone ?? ""}`],
    ["submitted", isoTime(submittedAt)],
    ["asks for", askedScopes(scopes)],
    ["note", note || "-"],
  ];
  if (reviewedAt !== null) {
    rows.push(["reviewed", `${state} ${isoTime(reviewedAt)} by ${reviewedBy ?? "?"}`]);
    rows.push(["comment", comment || "-"]);
  }
  return [`${app.appId}  ${app.type}  ${app.status}`, ...columns(rows).map((line) => `  ${line}`)].map(inOneLine);
}
