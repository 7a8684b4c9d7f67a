import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage, Writes } from "../../platform/storage/storage.ts";
import { addLatencies, LATENCY_COLUMNS, type Latencies, latencyColumn, noLatencies } from "./latencies.ts";

const MINUTE_MS = 60_000;
/** Counts written or deleted in one transaction. */
const BATCH = 100;
/** The most counts kept in memory while they cannot be written. */
const MAX_HELD = 10_000;

/** An answered call. */
export interface CountedCall {
  /** When it arrived, in epoch milliseconds. */
  at: number;
  /** The code it was answered with. */
  code: string;
  durationMs: number;
}

/** An application's calls in one minute, by their duration, and how many of them were refused or failed. */
interface Count extends Latencies, Record<string, unknown> {
  appId: string;
  /** Whole minutes since the epoch. */
  minute: number;
  calls: number;
  errors: number;
  /** The calls that were refused or failed, by their code; null while there are none. */
  codes: Map<string, number> | null;
}

/** Counts calls by application and minute; written periodically. */
export class CallCounts {
  readonly #storage: Storage;
  /** By minute, then by application. */
  #counts = new Map<number, Map<string, Count>>();
  #held = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  add(appId: string, { at, code, durationMs }: CountedCall, isError: boolean): void {
    const count = this.#countOf(appId, Math.floor(at / MINUTE_MS));
    if (count === null) return;
    count.calls++;
    count[latencyColumn(durationMs)]++;
    if (!isError) return;
    count.errors++;
    count.codes ??= new Map();
    count.codes.set(code, (count.codes.get(code) ?? 0) + 1);
  }

  /**
   * Writes the counts to the table. Counts that cannot be written are kept for the next time, up to a limit.
   *
   * @throws any error from the database.
   */
  async write(): Promise<void> {
    const counts = [...this.#counts.values()].flatMap((ofMinute) => [...ofMinute.values()]);
    // Rows are always written in the same order, so that two processes cannot deadlock.
    counts.sort((a, b) => a.minute - b.minute || (a.appId < b.appId ? -1 : 1));
    this.#counts = new Map();
    this.#held = 0;
    while (counts.length > 0) {
      const some = counts.slice(0, BATCH);
      try {
        await this.#storage.write((tx) => addAll(tx, some));
        counts.splice(0, BATCH);
      } catch (error) {
        for (const count of counts) this.#putBack(count);
        throw error;
      }
    }
  }

  /** The count of an application in a minute; null when there is no room for a further one. */
  #countOf(appId: string, minute: number): Count | null {
    let ofMinute = this.#counts.get(minute);
    const known = ofMinute?.get(appId);
    if (known !== undefined) return known;
    if (this.#held >= MAX_HELD) return null;
    if (ofMinute === undefined) {
      ofMinute = new Map();
      this.#counts.set(minute, ofMinute);
    }
    const count = { appId, minute, calls: 0, errors: 0, codes: null, ...noLatencies() };
    ofMinute.set(appId, count);
    this.#held++;
    return count;
  }

  /** Adds a count that could not be written to what has been counted meanwhile. */
  #putBack(unwritten: Count): void {
    const count = this.#countOf(unwritten.appId, unwritten.minute);
    if (count === null) return;
    count.calls += unwritten.calls;
    count.errors += unwritten.errors;
    addLatencies(count, unwritten);
    for (const [code, calls] of unwritten.codes ?? []) {
      count.codes ??= new Map();
      count.codes.set(code, (count.codes.get(code) ?? 0) + calls);
    }
  }
}

async function addAll(tx: Db, counts: Count[]): Promise<void> {
  for (const count of counts) {
    await add.affected(tx, count);
    const { appId, minute, codes } = count;
    for (const [code, calls] of [...(codes ?? [])].sort()) await addErrors.affected(tx, { appId, minute, code, calls });
  }
}

const SUMMED = ["calls", "errors", ...LATENCY_COLUMNS] as const;

/** Counts of an application that was deleted meanwhile are dropped. */
const add = prepared<Count>()((db, param) =>
  db
    .insertInto("call_counts")
    .columns(["app_id", "minute", ...SUMMED])
    .expression((eb) =>
      eb
        .selectFrom("apps")
        .select([
          "app_id",
          ...(["minute", ...SUMMED] as const).map((name) => sql<number>`cast(${param(name)} as bigint)`.as(name)),
        ])
        .where("app_id", "=", param("appId")),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["app_id", "minute"])
        .doUpdateSet(({ eb, ref }) =>
          Object.fromEntries(
            SUMMED.map((name) => [name, eb(ref(`call_counts.${name}`), "+", ref(`excluded.${name}`))]),
          ),
        ),
    ),
);

const addErrors = prepared<{ appId: string; minute: number; code: string; calls: number }>()((db, param) =>
  db
    .insertInto("call_errors")
    .columns(["app_id", "minute", "code", "calls"])
    .expression((eb) =>
      eb
        .selectFrom("apps")
        .select([
          "app_id",
          sql<number>`cast(${param("minute")} as bigint)`.as("minute"),
          sql<string>`cast(${param("code")} as text)`.as("code"),
          sql<number>`cast(${param("calls")} as bigint)`.as("calls"),
        ])
        .where("app_id", "=", param("appId")),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["app_id", "minute", "code"])
        .doUpdateSet(({ eb, ref }) => ({ calls: eb(ref("call_errors.calls"), "+", ref("excluded.calls")) })),
    ),
);

/** Deletes the counts of minutes that ended before `before` (epoch milliseconds), in batches. */
export async function sweepCallCounts(storage: Writes, before: number): Promise<void> {
  const old = { column: "minute", before: Math.floor(before / MINUTE_MS) } as const;
  await removeOld(storage, "call_errors", { key: ["app_id", "minute", "code"], ...old });
  await removeOld(storage, "call_counts", { key: ["app_id", "minute"], ...old });
}
