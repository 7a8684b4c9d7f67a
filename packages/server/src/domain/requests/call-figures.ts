import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";
import { LATENCY_COLUMNS, type Latencies } from "./latencies.ts";

const MINUTE_MS = 60_000;
/** Minutes that one statement sums up. SQLite runs it on this thread in a few milliseconds. */
const SLICE = 4_000;
/** The same where a minute can have several rows. */
const CODES_SLICE = 1_000;

/** Whole intervals: from `from` to before `until`, both multiples of `intervalMs` since the epoch. */
export interface Intervals {
  from: number;
  until: number;
  intervalMs: number;
}

/** An application's calls in the interval that begins at `at` (epoch milliseconds). */
export interface CallFigures extends Latencies {
  at: number;
  calls: number;
  errors: number;
  /** The most calls in one minute. */
  busiest: number;
}

const SUMMED = ["calls", "errors", ...LATENCY_COLUMNS] as const;

/** An application's calls. Intervals without calls are omitted; an interval may be yielded in several parts. */
export async function* listCallFigures(
  db: Db,
  appId: string,
  { from, until, intervalMs }: Intervals,
): AsyncGenerator<CallFigures> {
  const bucket = sql<number>`minute / ${sql.lit(intervalMs / MINUTE_MS)}`;
  for (const slice of slices(from, until, SLICE)) {
    const rows = await db
      .selectFrom("call_counts")
      .select([bucket.as("bucket"), (eb) => eb.fn.max("calls").as("busiest")])
      .select(SUMMED.map((column) => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column)))
      .where("app_id", "=", appId)
      .where("minute", ">=", slice.first)
      .where("minute", "<", slice.end)
      .groupBy(bucket)
      .execute();
    for (const { bucket, ...figures } of rows) yield { at: bucket * intervalMs, ...figures };
    await setImmediate();
  }
}

/** How many of an application's calls were answered with each code of a refusal or failure. */
export async function countErrorCodes(
  db: Db,
  appId: string,
  { from, until }: Pick<Intervals, "from" | "until">,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const slice of slices(from, until, CODES_SLICE)) {
    const rows = await db
      .selectFrom("call_errors")
      .select(["code", sql<number>`cast(sum(calls) as bigint)`.as("calls")])
      .where("app_id", "=", appId)
      .where("minute", ">=", slice.first)
      .where("minute", "<", slice.end)
      .groupBy("code")
      .execute();
    for (const { code, calls } of rows) counts.set(code, (counts.get(code) ?? 0) + calls);
    await setImmediate();
  }
  return counts;
}

/** The minutes of a range, so many at a time. */
function* slices(from: number, until: number, length: number): Generator<{ first: number; end: number }> {
  const last = until / MINUTE_MS;
  for (let first = from / MINUTE_MS; first < last; first += length) {
    yield { first, end: Math.min(first + length, last) };
  }
}
