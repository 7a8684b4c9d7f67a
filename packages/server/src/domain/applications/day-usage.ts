import { prepared } from "../../platform/storage/prepared.ts";
import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage, Writes } from "../../platform/storage/storage.ts";

const FLUSH_EVERY_MS = 1_000;

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

/** How many calls of `day` (whole UTC days since the epoch) the database knows of. */
export async function loadDayUsage(db: Db, appId: string, day: number): Promise<number> {
  return (await select.first(db, { appId, day }))?.used ?? 0;
}

/** Forgets the counters of days before `day`. */
export async function sweepDayUsage(storage: Writes, day: number): Promise<void> {
  await removeOld(storage, "quota_days", { key: ["app_id", "day"], column: "day", before: day });
}

/**
 * Carries the day counters into the database, so that neither a restart of the service nor of Redis forgets them.
 * Embedded, they are written in the very transaction of the calls they count; distributed, every second.
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

  /** Never fails: what could not be written is kept for the next time. */
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

  /** In one order everywhere, so that two processes never wait for each other's rows. */
  async #write(tx: Db, pending: { appId: string; day: number; used: number }[]): Promise<void> {
    for (const entry of pending.sort((a, b) => (a.appId < b.appId ? -1 : 1))) await add.affected(tx, entry);
  }
}
