import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage, Writes } from "../../platform/storage/storage.ts";

const MINUTE_MS = 60_000;
/** Counts written or deleted in one transaction. */
const BATCH = 100;
/** The most counts kept in memory while they cannot be written. */
const MAX_HELD = 10_000;

/** An application's calls in one minute, and how many of them were refused or failed. */
interface Count extends Record<string, unknown> {
  appId: string;
  /** Whole minutes since the epoch. */
  minute: number;
  calls: number;
  errors: number;
}

/** Counts calls by application and minute; written periodically. */
export class CallCounts {
  readonly #storage: Storage;
  /** The minute currently being counted. */
  #minute = 0;
  #current = new Map<string, Count>();
  #past: Count[] = [];

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Counts a call that arrived at `at` (epoch milliseconds). */
  add(appId: string, at: number, isError: boolean): void {
    const minute = Math.floor(at / MINUTE_MS);
    if (minute !== this.#minute) this.#turnTo(minute);
    const count = this.#current.get(appId) ?? this.#begin(appId);
    count.calls++;
    if (isError) count.errors++;
  }

  /**
   * Writes the counts to the table. Counts that cannot be written are kept for the next time, up to a limit.
   *
   * @throws any error from the database.
   */
  async write(): Promise<void> {
    this.#turnTo(this.#minute);
    // Rows are always written in the same order, so that two processes cannot deadlock.
    const counts = this.#past.sort((a, b) => a.minute - b.minute || (a.appId < b.appId ? -1 : 1));
    this.#past = [];
    while (counts.length > 0) {
      const some = counts.slice(0, BATCH);
      try {
        await this.#storage.write((tx) => addAll(tx, some));
        counts.splice(0, BATCH);
      } catch (error) {
        this.#past = [...counts, ...this.#past].slice(0, MAX_HELD);
        throw error;
      }
    }
  }

  #turnTo(minute: number): void {
    this.#past.push(...this.#current.values());
    this.#current = new Map();
    this.#minute = minute;
  }

  #begin(appId: string): Count {
    const count = { appId, minute: this.#minute, calls: 0, errors: 0 };
    if (this.#current.size < MAX_HELD) this.#current.set(appId, count);
    return count;
  }
}

async function addAll(tx: Db, counts: Count[]): Promise<void> {
  for (const count of counts) await add.affected(tx, count);
}

/** Counts of an application that was deleted meanwhile are dropped. */
const add = prepared<Count>()((db, param) =>
  db
    .insertInto("call_counts")
    .columns(["app_id", "minute", "calls", "errors"])
    .expression((eb) =>
      eb
        .selectFrom("apps")
        .select([
          "app_id",
          sql<number>`cast(${param("minute")} as bigint)`.as("minute"),
          sql<number>`cast(${param("calls")} as bigint)`.as("calls"),
          sql<number>`cast(${param("errors")} as bigint)`.as("errors"),
        ])
        .where("app_id", "=", param("appId")),
    )
    .onConflict((conflict) =>
      conflict.columns(["app_id", "minute"]).doUpdateSet(({ eb, ref }) => ({
        calls: eb(ref("call_counts.calls"), "+", ref("excluded.calls")),
        errors: eb(ref("call_counts.errors"), "+", ref("excluded.errors")),
      })),
    ),
);

/** An application's calls in the interval that begins at `at` (epoch milliseconds). */
export interface CallFigures {
  at: number;
  calls: number;
  errors: number;
}

/** Minutes that one statement sums up. SQLite runs it on this thread in a few milliseconds. */
const SLICE = 10_000;

/**
 * An application's calls from `from` to before `until`, both multiples of `intervalMs` since the epoch. Intervals
 * without calls are omitted; an interval may be yielded in several parts.
 */
export async function* listCallFigures(
  db: Db,
  appId: string,
  { from, until, intervalMs }: { from: number; until: number; intervalMs: number },
): AsyncGenerator<CallFigures> {
  const bucket = sql<number>`minute / ${sql.lit(intervalMs / MINUTE_MS)}`;
  const sum = (column: "calls" | "errors") => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column);
  for (let first = from / MINUTE_MS; first < until / MINUTE_MS; first += SLICE) {
    const rows = await db
      .selectFrom("call_counts")
      .select([bucket.as("bucket"), sum("calls"), sum("errors")])
      .where("app_id", "=", appId)
      .where("minute", ">=", first)
      .where("minute", "<", Math.min(first + SLICE, until / MINUTE_MS))
      .groupBy(bucket)
      .execute();
    for (const { bucket, ...figures } of rows) yield { at: bucket * intervalMs, ...figures };
    await setImmediate();
  }
}

/** Deletes the counts of minutes that ended before `before` (epoch milliseconds), in batches. */
export async function sweepCallCounts(storage: Writes, before: number): Promise<void> {
  const minute = Math.floor(before / MINUTE_MS);
  while ((await storage.write((tx) => removeBatch(tx, minute))) === BATCH);
}

async function removeBatch(tx: Db, before: number): Promise<number> {
  const oldest = await tx
    .selectFrom("call_counts")
    .select(["app_id", "minute"])
    .where("minute", "<", before)
    .orderBy("minute")
    .limit(BATCH)
    .execute();
  for (const { app_id, minute } of oldest) {
    await tx.deleteFrom("call_counts").where("app_id", "=", app_id).where("minute", "=", minute).execute();
  }
  return oldest.length;
}
