import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { unpromised } from "../console-exchange.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { numberOf, textOf } from "../json.ts";
import { isoTime, print, printable, printableJson, table } from "../terminal.ts";

const HEADINGS = ["type", "status", "circuit", "failures", "updated", "address"] as const;

/** `portico subscriptions`: which of an app's events are delivered, and where to. */
export const subscriptions: Command = {
  name: "subscriptions",
  summary: "List an app's webhook subscriptions",
  usage: "portico subscriptions APP_ID [OPTIONS]",
  notes: `"failures" counts the attempts that failed since the last that did not; an OPEN circuit delays deliveries.`,
  examples: ["portico subscriptions app_1"],
  configure: (command) =>
    withDeveloper(command.argument("<APP_ID>").option("--json", "print the answer as JSON")).action(
      async (appId, values) => {
        await using api = new ConsoleApi(await developerLogin(values));
        const { value, text } = await api.call("GET", ["apps", appId, "subscriptions"]);
        if (values.json) return print(printableJson(text));
        if (!Array.isArray(value)) unpromised("subscriptions");
        print(...(value.length === 0 ? ["no subscriptions"] : table([HEADINGS, ...value.map(rowOf)]).map(printable)));
      },
    ),
};

function rowOf(value: unknown): string[] {
  const updatedAt = numberOf(value, "updatedAt");
  return [
    textOf(value, "eventType") ?? "?",
    textOf(value, "status") ?? "?",
    textOf(value, "circuitState") ?? "?",
    String(numberOf(value, "failureCount") ?? "?"),
    updatedAt === undefined ? "?" : isoTime(updatedAt),
    textOf(value, "callbackUrl") ?? "?",
  ];
}
