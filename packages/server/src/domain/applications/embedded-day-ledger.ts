import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { DayLedger, DayUse } from "./day-ledger.ts";

const add = prepared<{ appId: string; day: number; calls: number }>()((db, param) =>
  db
    .insertInto("quota_days")
    .values({ app_id: param("appId"), day: param("day"), used: param("calls") })
    .onConflict((conflict) =>
      conflict
        .columns(["app_id", "day"])
        .doUpdateSet((eb) => ({ used: eb("quota_days.used", "+", eb.ref("excluded.used")) })),
    ),
);

/** For the only process: what it has counted goes with the next commit, which is that of the counted calls. */
export class EmbeddedDayLedger implements DayLedger {
  #pending = new Map<string, { appId: string; day: number; calls: number }>();

  constructor(beforeEachCommit: NonNullable<Storage["beforeEachCommit"]>) {
    beforeEachCommit(async (tx) => {
      const pending = this.#pending;
      if (pending.size === 0) return;
      this.#pending = new Map();
      for (const calls of pending.values()) await add.affected(tx, calls);
    });
  }

  record(_tx: Db, { appId, day }: DayUse, isAgain: boolean): void {
    if (isAgain) return;
    const key = `${day}:${appId}`;
    const entry = this.#pending.get(key);
    if (entry) entry.calls++;
    else this.#pending.set(key, { appId, day, calls: 1 });
  }

  async gathered(): Promise<void> {}

  async close(): Promise<void> {}
}
