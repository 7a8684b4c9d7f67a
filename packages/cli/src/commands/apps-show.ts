import { reviewScopes, scopeLines } from "../apps.ts";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { unpromised } from "../console-exchange.ts";
import { credentialLines } from "../credentials.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { memberOf, numberOf, textOf } from "../json.ts";
import { columns, inOneLine, isoTime, print, printableJson } from "../terminal.ts";

/** `portico apps show`: all that there is to tell of an application. */
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
      const { value: app, text } = await api.call("GET", ["apps", appId]);
      if (values.json) return print(printableJson(text));
      const { value: credentials } = await api.call("GET", ["apps", appId, "credentials"]);
      const review = memberOf(app, "review");
      print(...columns(profileRows(app)).map(inOneLine));
      if (textOf(review, "state") !== undefined) print("", "Last review", ...indented(columns(reviewRows(review))));
      print("", "Scopes", ...indented(scopeLines(memberOf(app, "scopes"))));
      print("", "Credentials", ...indented(credentialLines(credentials)));
      print("", "Quota", ...indented(columns(quotaRows(memberOf(app, "quota")))));
    }),
};

function indented(lines: string[]): string[] {
  return lines.map((line) => inOneLine(`  ${line}`));
}

function profileRows(app: unknown) {
  const createdAt = numberOf(app, "createdAt") ?? unpromised("an app");
  return [
    ["app", textOf(app, "appId") ?? unpromised("an app")],
    ["type", textOf(app, "type") ?? "?"],
    ["status", textOf(app, "status") ?? "?"],
    ["name", textOf(app, "displayName") ?? "?"],
    ["description", textOf(app, "description") || "-"],
    ["avatar", textOf(app, "avatar") || "-"],
    ["tenant", textOf(app, "tenantId") ?? "?"],
    ["owner", textOf(app, "ownerId") ?? "-"],
    ["created", isoTime(createdAt)],
  ] as const;
}

function reviewRows(review: unknown) {
  const [submittedAt, reviewedAt] = [numberOf(review, "submittedAt"), numberOf(review, "reviewedAt")];
  return [
    ["state", textOf(review, "state") ?? "?"],
    ["asked for", reviewScopes(review)],
    ["note", textOf(review, "note") || "-"],
    ["submitted", submittedAt === undefined ? "?" : isoTime(submittedAt)],
    ["reviewed", reviewedAt === undefined ? "-" : isoTime(reviewedAt)],
    ["comment", textOf(review, "comment") ?? "-"],
  ] as const;
}

function quotaRows(quota: unknown) {
  const isDefault = memberOf(quota, "isDefault");
  const limit = (name: string) => {
    const remark = memberOf(isDefault, name) === true ? " (the default)" : "";
    return `${numberOf(quota, name) ?? "?"}${remark}`;
  };
  return [
    ["calls a minute", limit("perMinute")],
    ["calls a day", `${limit("perDay")}, used today: ${numberOf(quota, "usedToday") ?? "?"}`],
    ["at the same time", limit("concurrent")],
  ] as const;
}
