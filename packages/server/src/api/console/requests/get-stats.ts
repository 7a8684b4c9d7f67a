import { fault, type Stats } from "@portico/protocol";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import type { StatsQuerySchema } from "@portico/protocol/schemas";
import type { Static } from "typebox";
import { findQuota } from "../../../domain/applications/app-quota.ts";
import { listDayUsage } from "../../../domain/applications/day-usage.ts";
import { countErrorCodes, type Intervals, listCallFigures } from "../../../domain/requests/call-figures.ts";
import { listDeliveryFigures } from "../../../domain/webhooks/delivery-figures.ts";
import { dayOf } from "../../../platform/coordination/coordination.ts";
import { invariant } from "../../../platform/errors/invariant.ts";
import { ConsoleError } from "../../common/console/console-error.ts";
import type { StatsParts } from "../../common/console/console-parts.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";
import { KeyedQueue } from "../../common/console/keyed-queue.ts";
import { FiguresByInterval } from "./figures-by-interval.ts";

const MINUTE_MS = 60_000;
const INTERVAL_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 1_440 * MINUTE_MS };
/** The number of intervals up to now when the query has no range. */
const DEFAULT_INTERVALS = { minute: 60, hour: 24, day: 30 };
const MAX_INTERVALS = 1_500;

/** Queued, because a call reads all of the application's deliveries, and there may be many. */
const queue = new KeyedQueue({ maxWaiting: 10 });

type StatsQuery = Static<typeof StatsQuerySchema>;

/** GET apps/{appId}/stats: calls, errors, latencies, deliveries and quota use of an application over time. */
export const getStats: ConsoleRoute<typeof CONSOLE_ENDPOINTS.getStats, StatsParts> = {
  endpoint: CONSOLE_ENDPOINTS.getStats,
  handle: (ctx, { app, developer, query }) => queue.run(ctx, developer, () => countFigures(ctx, app.appId, query)),
};

async function countFigures(ctx: StatsParts, appId: string, query: StatsQuery): Promise<Stats> {
  const { clock, config, requestLog, storage } = ctx;
  const { interval = "hour", to = clock.now() } = query;
  const intervalMs = INTERVAL_MS[interval];
  const { from = Math.max(0, to - (DEFAULT_INTERVALS[interval] - 1) * intervalMs) } = query;
  const range = wholeIntervals(from, to, intervalMs);
  const callsFrom = Math.max(0, clock.now() - config.retention.requestsMs);
  const counted = { ...range, from: Math.max(range.from, callsFrom - (callsFrom % intervalMs)) };

  const figures = new FiguresByInterval(range);
  await requestLog.flush();
  for await (const part of listCallFigures(storage.lists, appId, counted)) figures.addCalls(part);
  for await (const part of listDeliveryFigures(storage.lists, appId, range)) figures.addDeliveries(part);
  const codes = await countErrorCodes(storage.lists, appId, counted);
  return {
    interval,
    callsFrom,
    ...figures.shown(),
    errorsByCode: Array.from(codes, ([code, calls]) => ({ code, calls })).sort(
      (a, b) => b.calls - a.calls || (a.code < b.code ? -1 : 1),
    ),
    quota: await quotaUse(ctx, appId, range),
  };
}

async function quotaUse(ctx: StatsParts, appId: string, range: Intervals): Promise<Stats["quota"]> {
  const { lists } = ctx.storage;
  const quota = await findQuota(ctx, lists, appId);
  invariant(quota !== null, "the application has been found");
  const last = Math.min(dayOf(range.until - 1), dayOf(ctx.clock.now()));
  const days = await listDayUsage(lists, appId, { first: dayOf(range.from), last });
  return {
    perMinute: quota.perMinute,
    perDay: quota.perDay,
    days: days.map(({ day, used }) => ({ at: day * INTERVAL_MS.day, used })),
  };
}

/**
 * The intervals (numbered since the epoch) that cover a range, both ends included.
 *
 * @throws ApiError 400 when there are none or too many.
 */
function wholeIntervals(from: number, to: number, intervalMs: number): Intervals {
  if (from > to) throw new ConsoleError("RANGE_REVERSED");
  const start = from - (from % intervalMs);
  const until = to - (to % intervalMs) + intervalMs;
  if ((until - start) / intervalMs > MAX_INTERVALS) {
    throw new ConsoleError(fault("STATS_RANGE_TOO_LONG", { max: MAX_INTERVALS }));
  }
  return { from: start, until, intervalMs };
}
