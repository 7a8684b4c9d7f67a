import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage, Writes } from "../../platform/storage/storage.ts";

const FLUSH_EVERY_MS = 1_000;
/** Days before today whose counters are kept. */
const DAYS_KEPT = 30;

const select = prepared<{ appId: string; day: number }>()((db, param) =>
  db.selectFrom("quota_days").select("used").where("app_id", "=", param("appId")).where("day", "=", param("day")),
);
const add = prepared<{ appId: string; day: number; used: number }>()((db, param) =>
  db
    .insertInto("quota_days")
    .values({ app_id: param("appId"), day: param("day"), used: param("used") })
    .onConflict((conflict) =>
      conflict
        .columns(["app_id", "day"])
        .doUpdateSet((eb) => ({ used: eb("quota_days.used", "+", eb.ref("excluded.used")) })),
    ),
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

/**
 * Persists the daily call counters, so that a restart of the service or of Redis does not reset them. Embedded: in the
 * same transaction as the counted calls. Distributed: every second.
 */
export class DayLedger {
  #pending = new Map<string, { appId: string; day: number; used: number }>();
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout | null = null;

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
    if (storage.beforeEachCommit) {
      storage.beforeEachCommit((tx) => this.#write(tx, this.#take()));
    } else {
      this.#timer = setInterval(() => void this.#flush(), FLUSH_EVERY_MS);
    }
  }

  /** Counts one admitted call. */
  count(appId: string, day: number): void {
    this.#add(appId, day, 1);
  }

  async close(): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    await this.#flush();
  }

  /** Never rejects: counts that could not be written are kept and written next time. */
  async #flush(): Promise<void> {
    const pending = this.#take();
    if (pending.length === 0) return;
    try {
      await this.#storage.write((tx) => this.#write(tx, pending));
    } catch (error) {
      for (const { appId, day, used } of pending) this.#add(appId, day, used);
      this.#onError(error);
    }
  }

  #add(appId: string, day: number, used: number): void {
    const key = `${day}:${appId}`;
    const entry = this.#pending.get(key);
    if (entry) entry.used += used;
    else this.#pending.set(key, { appId, day, used });
  }

  #take() {
    if (this.#pending.size === 0) return [];
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    return pending;
  }

  /** Rows are always written in the same order, so that two processes cannot deadlock. */
  async #write(tx: Db, pending: { appId: string; day: number; used: number }[]): Promise<void> {
    for (const entry of pending.sort((a, b) => (a.appId < b.appId ? -1 : 1))) await add.affected(tx, entry);
  }
}
