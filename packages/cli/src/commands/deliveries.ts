import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { type AttemptView, type DeliveryPage, type DeliveryView, readDeliveries, readDelivery } from "../deliveries.ts";
import { deliveryAdvice } from "../delivery-advice.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { selectionOf, withSelection } from "../event-options.ts";
import { numberFor } from "../option-kinds.ts";
import { pageLine } from "../pages.ts";
import { columns, inOneLine, inWords, isoTime, print, printableJson, table, whatToDo } from "../terminal.ts";

const HEADINGS = ["time", "event", "type", "status", "attempts", "last", "next attempt"] as const;

/** `portico deliveries`: what became of an app's events. */
export const deliveries: Command = {
  name: "deliveries",
  summary: "List an app's webhook deliveries, or show one with its attempts",
  usage: "portico deliveries APP_ID [EVENT_ID] [OPTIONS]",
  notes: `With EVENT_ID: that delivery, each attempt, and the event as it is sent, but for control characters, which are escaped.`,
  examples: ["portico deliveries app_1 --status FAILED --from 2026-01-31", "portico deliveries app_1 evt_1"],
  configure: (command) =>
    withDeveloper(
      withSelection(command.argument("<APP_ID>").argument("[EVENT_ID]"))
        .option("--page <N>", "a page of the list, newest first (default 1)", numberFor("--page"))
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, eventId, values) => {
      const selection = selectionOf(values);
      const { page } = values;
      if (eventId !== undefined && [...Object.values(selection), page].some((given) => given !== undefined)) {
        throw new UsageError("options that select from the list do not go with an EVENT_ID");
      }
      await using api = new ConsoleApi(await developerLogin(values));
      if (eventId === undefined) {
        const list = await readDeliveries(api, appId, selection, page);
        return print(...(values.json ? [printableJson(list.text)] : listLines(list)));
      }
      const found = await readDelivery(api, appId, eventId);
      print(...(values.json ? [printableJson(found.text)] : detailLines(appId, found)));
    }),
};

function listLines(list: DeliveryPage): string[] {
  if (list.total === 0) return ["no deliveries"];
  const lines = table([HEADINGS, ...list.deliveries.map(rowOf)]).map(inOneLine);
  return [...lines, "", pageLine(list)];
}

function rowOf({
  createdAt,
  eventId,
  eventType,
  status,
  attemptCount,
  outcome,
  nextAttemptAt,
}: DeliveryView): string[] {
  const next = nextAttemptAt === undefined ? "" : isoTime(nextAttemptAt);
  return [isoTime(createdAt), eventId, eventType, status, String(attemptCount), outcome || "-", next];
}

function detailLines(appId: string, { delivery, attempts, body }: Awaited<ReturnType<typeof readDelivery>>): string[] {
  const { eventId, eventType, status, createdAt, nextAttemptAt } = delivery;
  const rows = [
    ["event", eventId],
    ["type", eventType],
    ["status", status],
    ["time", isoTime(createdAt)],
    ["next attempt", nextAttemptAt === undefined ? "-" : isoTime(nextAttemptAt)],
  ] as const;
  return [
    ...columns(rows).map(inOneLine),
    ...attempts.flatMap((attempt) => ["", ...attemptLines(attempt)]),
    ...whatToDo(deliveryAdvice(appId, eventId, delivery)).map(inOneLine),
    "",
    printableJson(body),
  ];
}

function attemptLines(attempt: AttemptView): string[] {
  const { at, outcome, detail, durationMs, address, nextAttemptAt, phases, answer } = attempt;
  const parts = [isoTime(at), outcome, `${durationMs} ms`];
  if (address !== undefined) parts.push(`at ${address}`);
  const lines = [parts.join("  ")];
  if (detail !== undefined) lines.push(`  ${detail}`);
  if (phases.length > 0) lines.push(`  ${phases.map(([name, ms]) => `${phaseName(name)} ${ms} ms`).join(", ")}`);
  if (answer !== "") lines.push(...answer.split("\n").map((line) => `  | ${line}`));
  if (nextAttemptAt !== undefined) lines.push(`  next attempt ${isoTime(nextAttemptAt)}`);
  return lines.map(inOneLine);
}

/** `firstByteMs` is the first byte. */
function phaseName(member: string): string {
  return inWords(member.replace(/Ms$/, ""));
}
