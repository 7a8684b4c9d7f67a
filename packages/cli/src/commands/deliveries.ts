import type { Delivery } from "@portico/protocol";
import type { CONSOLE_ENDPOINTS, EndpointValue } from "@portico/protocol/endpoints";
import { memberText } from "@portico/protocol/json-member";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { deliveryAdvice } from "../delivery-advice.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { type Selection, selectionOf, withSelection } from "../event-options.ts";
import { follow } from "../follow.ts";
import { numberFor } from "../option-kinds.ts";
import { pageLine } from "../pages.ts";
import { columns, inOneLine, inWords, isoTime, print, printableJson, table, whatToDo } from "../terminal.ts";

/** The most that the service lists at once. */
const PAGE_SIZE = 100;
const HEADINGS = ["time", "event", "type", "status", "attempts", "last", "next attempt"] as const;

/** `portico deliveries`: lists the deliveries of an app's events, or shows one. */
export const deliveries: Command = {
  name: "deliveries",
  summary: "List an app's webhook deliveries, or show one with its attempts",
  usage: "portico deliveries APP_ID [EVENT_ID] [--follow] [OPTIONS]",
  notes: `With EVENT_ID: that delivery, each attempt, and the event as it is sent, but for control characters, which are escaped.
With --follow: a line for each new delivery after its first attempt, or after ten seconds without one. Ctrl-C ends it.`,
  examples: [
    "portico deliveries app_1 --status FAILED --from 2026-01-31",
    "portico deliveries app_1 evt_1",
    "portico deliveries app_1 --follow",
  ],
  configure: (command) =>
    withDeveloper(
      withSelection(command.argument("<APP_ID>").argument("[EVENT_ID]"))
        .option("--page <N>", "a page of the list, newest first (default 1)", numberFor("--page"))
        .option("--follow", "show new deliveries as they come, a line each")
        .option("--json", "print the answer as JSON; with --follow, a line for each delivery"),
    ).action(async (appId, eventId, values) => {
      const selection = selectionOf(values);
      const { page } = values;
      if (eventId !== undefined && [...Object.values(selection), page].some((given) => given !== undefined)) {
        throw new UsageError("options that select from the list do not go with an EVENT_ID");
      }
      if (values.follow && [eventId, page, selection.from, selection.to].some((given) => given !== undefined)) {
        throw new UsageError("--follow goes with --status and --type alone: it shows what is new from now on");
      }
      await using api = new ConsoleApi(await developerLogin(values));
      if (values.follow) return await followDeliveries(api, appId, selection, values.json);
      if (eventId === undefined) {
        const query = { ...selection, page };
        const list = await api.console.listDeliveries({ params: { appId }, query });
        return print(...(values.json ? [printableJson(api.textOf(list))] : listLines(list)));
      }
      const delivery = await api.console.getDelivery({ params: { appId, eventId } });
      const text = api.textOf(delivery);
      // As it came: the event's numbers may have more digits than a number here can keep.
      const event = memberText(text, "body") ?? "null";
      print(...(values.json ? [printableJson(text)] : detailLines(appId, delivery, event)));
    }),
};

/** Shows new deliveries until the user interrupts it. */
async function followDeliveries(api: ConsoleApi, appId: string, selection: Selection, json = false): Promise<void> {
  await follow<Delivery, number>({
    async list({ from, place: page = 1 }, signal) {
      const query = { ...selection, from, page, pageSize: PAGE_SIZE };
      const { items, total } = await api.console.listDeliveries({ params: { appId }, query }, { signal });
      return { items, next: page * PAGE_SIZE < total ? page + 1 : null };
    },
    idOf: ({ eventId }) => eventId,
    timeOf: ({ createdAt }) => createdAt,
    isUnderWay: ({ status }) => status === "PENDING",
    show: (delivery) =>
      print(json ? printableJson(JSON.stringify(delivery)) : inOneLine(rowOf(delivery).filter(Boolean).join("  "))),
  });
}

type DeliveryPage = EndpointValue<typeof CONSOLE_ENDPOINTS.listDeliveries>;
type DeliveryDetail = EndpointValue<typeof CONSOLE_ENDPOINTS.getDelivery>;
type Attempt = DeliveryDetail["attempts"][number];

function listLines(list: DeliveryPage): string[] {
  if (list.total === 0) return ["no deliveries"];
  const lines = table([HEADINGS, ...list.items.map(rowOf)]).map(inOneLine);
  return [...lines, "", pageLine(list)];
}

function rowOf(delivery: Delivery): string[] {
  const { createdAt, eventId, eventType, status, attemptCount, lastStatus, lastReason, nextAttemptAt } = delivery;
  const next = nextAttemptAt === null ? "" : isoTime(nextAttemptAt);
  const last = outcomeOf(lastStatus, lastReason) || "-";
  return [isoTime(createdAt), eventId, eventType, status, String(attemptCount), last, next];
}

/** HTTP status of an answer, or why there was none; empty before the first attempt. */
function outcomeOf(status: number | null, reason: string | null): string {
  return [status, reason].filter((part) => part !== null).join(" ");
}

function detailLines(appId: string, delivery: DeliveryDetail, event: string): string[] {
  const { eventId, eventType, status, lastReason, createdAt, nextAttemptAt, attempts } = delivery;
  const rows = [
    ["event", eventId],
    ["type", eventType],
    ["status", status === "DROPPED" && lastReason !== null ? `${status} ${lastReason}` : status],
    ["time", isoTime(createdAt)],
    ["next attempt", nextAttemptAt === null ? "-" : isoTime(nextAttemptAt)],
  ] as const;
  return [
    ...columns(rows).map(inOneLine),
    ...attempts.flatMap((attempt) => ["", ...attemptLines(attempt)]),
    ...whatToDo(deliveryAdvice(appId, delivery)).map(inOneLine),
    "",
    printableJson(event),
  ];
}

function attemptLines(attempt: Attempt): string[] {
  const { at, status, reason, detail, durationMs, address, nextAttemptAt, phases, answer } = attempt;
  const parts = [isoTime(at), outcomeOf(status, reason), `${durationMs} ms`];
  if (address !== null) parts.push(`at ${address}`);
  const lines = [parts.join("  ")];
  if (detail !== null) lines.push(`  ${detail}`);
  const known = Object.entries(phases ?? {}).filter(([, ms]) => typeof ms === "number");
  if (known.length > 0) lines.push(`  ${known.map(([name, ms]) => `${phaseName(name)} ${ms} ms`).join(", ")}`);
  if (answer !== "") lines.push(...answer.split("\n").map((line) => `  | ${line}`));
  if (nextAttemptAt !== null) lines.push(`  next attempt ${isoTime(nextAttemptAt)}`);
  return lines.map(inOneLine);
}

/** The name of a phase: `firstByteMs` becomes "first byte". */
function phaseName(member: string): string {
  return inWords(member.replace(/Ms$/, ""));
}
