import type { AppQuota } from "@portico/protocol";
import { type Command, UsageError, wholeNumber } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { OPERATOR_ADVICE } from "../operator-advice.ts";
import { quotaRows } from "../quota-rows.ts";
import { columns, inOneLine, print, printableJson } from "../terminal.ts";

/** `portico quota`: shows what an application may call, and sets it. */
export const quota: Command = {
  name: "quota",
  summary: "Show how often an app may call, and what it has used today; or set it, for operators",
  usage: "portico quota APP_ID [--per-minute N] [--per-day N] [--concurrent N] [OPTIONS]",
  notes: `N is a number, or "default" for what the operator has configured. What is not named stays as it is.`,
  examples: ["portico quota app_1", "portico quota app_1 --per-minute 600 --concurrent default"],
  advice: OPERATOR_ADVICE,
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--per-minute <N>", "calls in a minute", limitFor("--per-minute"))
        .option("--per-day <N>", "calls in a day, in UTC", limitFor("--per-day"))
        .option("--concurrent <N>", "calls at the same time", limitFor("--concurrent"))
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, values) => {
      const { perMinute, perDay, concurrent } = values;
      const isSet = [perMinute, perDay, concurrent].some((given) => given !== undefined);
      await using api = new ConsoleApi(await developerLogin(values, isSet ? "operator" : "developer"));
      const params = { appId };
      const shown = isSet
        ? await api.operator.updateQuota({
            params,
            body: bodyOf(await api.operator.getQuota({ params }), { perMinute, perDay, concurrent }),
          })
        : await api.console.getAppQuota({ params });
      print(...(values.json ? [printableJson(api.textOf(shown))] : columns(quotaRows(shown)).map(inOneLine)));
    }),
};

const LIMITS = ["perMinute", "perDay", "concurrent"] as const;
type Limits = Record<(typeof LIMITS)[number], number | null>;

/** All three limits, null for a default: those that are not named are as they were. */
function bodyOf(now: AppQuota, wanted: Partial<Record<keyof Limits, number | "default" | undefined>>): Limits {
  const one = (name: keyof Limits) => {
    const given = wanted[name];
    if (given !== undefined) return given === "default" ? null : given;
    return now.isDefault[name] ? null : now[name];
  };
  return { perMinute: one("perMinute"), perDay: one("perDay"), concurrent: one("concurrent") };
}

function limitFor(name: string): (text: string) => number | "default" {
  return (text) => {
    if (text === "default") return text;
    if (!/^\d+$/.test(text)) throw new UsageError(`${name} must be a whole number from 1 on, or default`);
    return wholeNumber(text, name);
  };
}
