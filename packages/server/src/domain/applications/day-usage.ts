import type { Coordination, DayCounter, RecordedCalls } from "../../platform/coordination/coordination.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage, Writes } from "../../platform/storage/storage.ts";

/** Short, because what a killed process has not written is missing should Redis lose its counters too. */
const FLUSH_EVERY_MS = 100;
/** Days before today whose counters are kept. */
const DAYS_KEPT = 30;

const select = prepared<{ appId: string; day: number }>()((db, param) =>
  db.selectFrom("quota_days").select("used").where("app_id", "=", param("appId")).where("day", "=", param("day")),
);
const add = prepared<{ appId: string; day: number; calls: number }>()((db, param) =>
  db
    .insertInto("quota_days")
    .values({ app_id: param("appId"), day: param("day"), used: param("calls") })
    .onConflict((conflict) =>
      conflict
        .columns(["app_id", "day"])
        .doUpdateSet((eb) => ({ used: eb("quota_days.used", "+", eb.ref("excluded.used")) })),
    )
    .returning("used"),
);

/** The number of calls on `day` (whole UTC days since the epoch) that the database has recorded. */
export async function loadDayUsage(db: Db, appId: string, day: number): Promise<number> {
  return (await select.first(db, { appId, day }))?.used ?? 0;
}

/** The calls on each of an application's days from `first` to `last` that has any. */
export async function listDayUsage(
  db: Db,
  appId: string,
  { first, last }: { first: number; last: number },
): Promise<{ day: number; used: number }[]> {
  return await db
    .selectFrom("quota_days")
    .select(["day", "used"])
    .where("app_id", "=", appId)
    .where("day", ">=", Math.max(first, last - DAYS_KEPT))
    .where("day", "<=", last)
    .orderBy("day")
    .execute();
}

/** Deletes the counters of days that statistics no longer show on `today`. */
export async function sweepDayUsage(storage: Writes, today: number): Promise<void> {
  await removeOld(storage, "quota_days", { key: ["app_id", "day"], column: "day", before: today - DAYS_KEPT });
}

/** Calls of an application's day that are not in the database yet, by the counter that counted them. */
type Pending = Omit<RecordedCalls, "recorded">;

/** So many records that nobody could compare with a counter yet are remembered. */
const MOST_UNSETTLED = 10_000;

/**
 * Persists the daily call counters, so that a restart of the service or of Redis does not reset them. Embedded: in the
 * same transaction as the counted calls. Distributed: every tenth of a second; a process that was frozen meanwhile may be
 * too late for a counter that was lost and loaded again, so each record is told to the coordination, which compares the
 * two.
 */
export class DayLedger {
  #pending = new Map<string, Pending>();
  #unsettled: RecordedCalls[] = [];
  readonly #storage: Storage;
  readonly #coordination: Pick<Coordination, "recorded">;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;

  constructor(storage: Storage, coordination: Pick<Coordination, "recorded">, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#coordination = coordination;
    this.#onError = onError;
    if (storage.beforeEachCommit) {
      storage.beforeEachCommit(async (tx) => {
        await this.#write(tx, this.#take());
      });
    } else {
      this.#timer = setInterval(() => this.#flushAlone(), FLUSH_EVERY_MS);
    }
  }

  /** Counts one admitted call. */
  count(appId: string, day: number, counter: DayCounter): void {
    this.#add({ appId, day, counter, calls: 1 });
  }

  async close(): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    await this.#flushing;
    await this.#flush();
  }

  /** A slow database is not asked again before it has answered. */
  #flushAlone(): void {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
  }

  /** Never rejects: counts that could not be written are kept and written next time. */
  async #flush(): Promise<void> {
    const pending = this.#take();
    try {
      if (pending.length > 0) this.#unsettled.push(...(await this.#storage.write((tx) => this.#write(tx, pending))));
    } catch (error) {
      for (const calls of pending) this.#add(calls);
      this.#onError(error);
    }
    await this.#settle();
  }

  /** Tells the coordination what has been recorded; what it cannot compare yet is told again. */
  async #settle(): Promise<void> {
    const told = this.#unsettled.splice(0);
    const settled = await Promise.all(told.map((calls) => this.#coordination.recorded(calls)));
    this.#unsettled.push(...told.filter((_, index) => !settled[index]));
    this.#unsettled.splice(0, this.#unsettled.length - MOST_UNSETTLED);
  }

  #add(calls: Pending): void {
    const key = `${calls.day}:${calls.appId}:${calls.counter}`;
    const entry = this.#pending.get(key);
    if (entry) entry.calls += calls.calls;
    else this.#pending.set(key, calls);
  }

  #take(): Pending[] {
    if (this.#pending.size === 0) return [];
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    return pending;
  }

  /** Rows are always written in the same order, so that two processes cannot deadlock. */
  async #write(tx: Db, pending: Pending[]): Promise<RecordedCalls[]> {
    const recorded: RecordedCalls[] = [];
    for (const calls of pending.sort((a, b) => (a.appId < b.appId ? -1 : 1))) {
      const row = await add.first(tx, calls);
      if (row !== undefined) recorded.push({ ...calls, recorded: row.used });
    }
    return recorded;
  }
}
