import { type Figures, fault } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { StatsQuerySchema } from "@portico/protocol/schemas";
import type { Static } from "typebox";
import { listCallFigures } from "../../../domain/requests/call-counts.ts";
import { listDeliveryFigures } from "../../../domain/webhooks/delivery-figures.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { RequestLogParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { KeyedQueue } from "../../common/console/keyed-queue.ts";

const MINUTE_MS = 60_000;
const INTERVAL_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 1_440 * MINUTE_MS };
/** The number of intervals up to now when the query has no range. */
const DEFAULT_INTERVALS = { minute: 60, hour: 24, day: 30 };
const MAX_INTERVALS = 1_500;

/** Queued, because a call reads all of the application's deliveries, and there may be many. */
const queue = new KeyedQueue({ maxWaiting: 10 });

type StatsQuery = Static<typeof StatsQuerySchema>;

/** GET apps/{appId}/stats: calls, errors and deliveries of an application over time. */
export const getStats: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getStats, RequestLogParts> = {
  endpoint: CONSOLE_ENDPOINTS.getStats,
  handle: (ctx, { app, developer, query }) => queue.run(ctx, developer, () => countFigures(ctx, app.appId, query)),
};

async function countFigures({ clock, requestLog, storage }: RequestLogParts, appId: string, query: StatsQuery) {
  const { interval = "hour", to = clock.now() } = query;
  const intervalMs = INTERVAL_MS[interval];
  const { from = Math.max(0, to - (DEFAULT_INTERVALS[interval] - 1) * intervalMs) } = query;
  const range = wholeIntervals(from, to, intervalMs);

  const items = new Map<number, { at: number } & Figures>();
  for (let at = range.from; at < range.until; at += intervalMs) items.set(at, { at, ...noFigures() });
  await requestLog.flush();
  const totals = noFigures();
  for await (const { at, calls, errors } of listCallFigures(storage.lists, appId, range)) {
    for (const figures of [items.get(at) ?? noFigures(), totals]) {
      figures.calls += calls;
      figures.errors += errors;
    }
  }
  for await (const { at, figure, count } of listDeliveryFigures(storage.lists, appId, range)) {
    for (const { deliveries } of [items.get(at) ?? noFigures(), totals]) deliveries[figure] += count;
  }
  return { interval, items: [...items.values()], totals };
}

/**
 * The intervals (numbered since the epoch) that cover a range, both ends included.
 *
 * @throws ApiError 400 when there are none or too many.
 */
function wholeIntervals(from: number, to: number, intervalMs: number) {
  if (from > to) throw new ConsoleError("RANGE_REVERSED");
  const start = from - (from % intervalMs);
  const until = to - (to % intervalMs) + intervalMs;
  if ((until - start) / intervalMs > MAX_INTERVALS) {
    throw new ConsoleError(fault("STATS_RANGE_TOO_LONG", { max: MAX_INTERVALS }));
  }
  return { from: start, until, intervalMs };
}

function noFigures(): Figures {
  return { calls: 0, errors: 0, deliveries: { delivered: 0, failed: 0, pending: 0, dropped: 0 } };
}
