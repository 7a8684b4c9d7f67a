import type { CONSOLE_ENDPOINTS, EndpointValue } from "@portico/protocol/endpoints";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { isoTime, print, printable, printableJson, table } from "../terminal.ts";

const HEADINGS = ["type", "status", "circuit", "failures", "updated", "address"] as const;

/** `portico subscriptions`: lists an app's subscriptions and their callback URLs. */
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
        const list = await api.console.listSubscriptions({ params: { appId } });
        if (values.json) return print(printableJson(api.textOf(list)));
        print(...(list.length === 0 ? ["no subscriptions"] : table([HEADINGS, ...list.map(rowOf)]).map(printable)));
      },
    ),
};

type Subscription = EndpointValue<typeof CONSOLE_ENDPOINTS.listSubscriptions>[number];

function rowOf({ eventType, status, circuitState, failureCount, updatedAt, callbackUrl }: Subscription): string[] {
  return [eventType, status, circuitState, String(failureCount), isoTime(updatedAt), callbackUrl ?? "by socket"];
}
