import type { AppReview, ConsoleAppView } from "@portico/protocol";
import { askedScopes, scopeLines } from "../apps.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { credentialLines } from "../credentials.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { quotaRows } from "../quota-rows.ts";
import { columns, inOneLine, isoTime, print, printableJson } from "../terminal.ts";

/** `portico apps show`: shows an application in detail. */
export const appsShow: Command = {
  name: "apps show",
  summary: "Show an app: its state, last review, scopes, credentials and quota",
  usage: "portico apps show APP_ID [OPTIONS]",
  notes: `Credentials are shown by the last four characters of their ids.`,
  examples: ["portico apps show app_1"],
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--json", "print the answer as JSON: the app with its review, scopes and quota"),
    ).action(async (appId, values) => {
      await using api = new ConsoleApi(await developerLogin(values));
      const params = { appId };
      const app = await api.console.getApp({ params });
      if (values.json) return print(printableJson(api.textOf(app)));
      const credentials = await api.console.listCredentials({ params });
      print(...columns(profileRows(app)).map(inOneLine));
      if (app.review !== null) print("", "Last review", ...indented(columns(reviewRows(app.review))));
      print("", "Scopes", ...indented(scopeLines(app.scopes)));
      print("", "Credentials", ...indented(credentialLines(credentials)));
      print("", "Quota", ...indented(columns(quotaRows(app.quota))));
    }),
};

function indented(lines: string[]): string[] {
  return lines.map((line) => inOneLine(`  ${line}`));
}

function profileRows(app: ConsoleAppView) {
  return [
    ["app", app.appId],
    ["type", app.type],
    ["status", app.status],
    ["name", app.displayName],
    ["description", app.description || "-"],
    ["avatar", app.avatar || "-"],
    ["tenant", app.tenantId],
    ["owner", app.ownerId ?? "-"],
    ["created", isoTime(app.createdAt)],
  ] as const;
}

function reviewRows({ state, scopes, note, submittedAt, reviewedAt, comment }: AppReview) {
  return [
    ["state", state],
    ["asked for", askedScopes(scopes)],
    ["note", note || "-"],
    ["submitted", isoTime(submittedAt)],
    ["reviewed", reviewedAt === null ? "-" : isoTime(reviewedAt)],
    ["comment", comment ?? "-"],
  ] as const;
}
