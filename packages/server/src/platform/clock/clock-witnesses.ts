import type { Storage } from "../storage/storage.ts";
import type { Clock } from "./clock.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clocks that differ by less (in milliseconds) count as the same witness. */
const SAME_MS = 1_000;
/** The most witnesses stored; beyond it, the one that was not heard for longest is removed. */
const MAX_WITNESSES = 100;

/** The time that a clock has shown, extrapolated with the monotonic clock. Times are in milliseconds. */
interface Witness {
  /** Its time minus the monotonic time. */
  offset: number;
  /** When it was last heard, by the monotonic clock. */
  heardAt: number;
}

/** A witness as stored across restarts: its time, and how long it has not been heard. */
interface KeptWitness {
  time: number;
  unheardMs: number;
}

/** Dependencies of {@link ClockWitnesses}. */
export interface WitnessParts {
  storage: Storage;
  clock: Clock;
  /** The database's clock, in epoch milliseconds; null when it has no clock of its own. */
  databaseNow(): Promise<number | null>;
}

/**
 * Determines which time has certainly passed, for everything that is finally released or removed. No single clock is
 * trusted. The witnesses are the machine's clock, the database's clock, and every time that either of them has shown
 * before, extrapolated with the monotonic clock. They are stored in the database, so that after a restart the current
 * clock is not the only witness.
 *
 * When a clock is set or the service was stopped, the old time remains as an additional witness, which is not heard
 * again. It is ignored once it has been unheard for as long as the thing in question lives, but at least one hour and
 * at most one day: by then the new time is trusted.
 */
export class ClockWitnesses {
  readonly #parts: WitnessParts;
  #witnesses: Witness[] = [];

  constructor(parts: WitnessParts) {
    this.#parts = parts;
    this.#hear(parts.clock.now());
  }

  /** Loads the witnesses stored in the database, and reads the clocks. */
  static async recall(parts: WitnessParts): Promise<ClockWitnesses> {
    const witnesses = new ClockWitnesses(parts);
    const monotonic = parts.clock.monotonic();
    for (const { time, unheardMs } of await readKept(parts.storage)) {
      witnesses.#witnesses.push({ offset: time - monotonic, heardAt: monotonic - unheardMs });
    }
    await witnesses.hear();
    return witnesses;
  }

  /** Reads the clocks and stores their times. Call it often, and before anything is removed. */
  async hear(): Promise<void> {
    const databaseNow = await this.#parts.databaseNow();
    if (databaseNow !== null) this.#hear(databaseNow);
    this.#hear(this.#parts.clock.now());
    await keep(this.#parts.storage, this.#kept());
  }

  /** The times that may be the current one, in epoch milliseconds, for things that live for `lifeMs`. */
  times(lifeMs: number): number[] {
    const { clock } = this.#parts;
    this.#hear(clock.now());
    const monotonic = clock.monotonic();
    const heardSince = monotonic - Math.min(Math.max(lifeMs, HOUR_MS), DAY_MS);
    return this.#witnesses
      .filter(({ heardAt }) => heardAt >= heardSince)
      .map(({ offset }) => Math.round(monotonic + offset));
  }

  /** The latest time that has passed by every clock, in epoch milliseconds, for things that live for `lifeMs`. */
  passed(lifeMs: number): number {
    return Math.min(...this.times(lifeMs));
  }

  #hear(time: number): void {
    const heardAt = this.#parts.clock.monotonic();
    const offset = time - heardAt;
    const known = this.#witnesses.find((witness) => Math.abs(witness.offset - offset) < SAME_MS);
    if (known === undefined) {
      this.#witnesses.push({ offset, heardAt });
    } else {
      known.heardAt = heardAt;
      // The clocks run at slightly different rates: the extrapolated time must not be ahead of the shown one.
      known.offset = Math.min(known.offset, offset);
    }
    this.#witnesses = this.#witnesses
      .filter((witness) => heardAt - witness.heardAt <= DAY_MS)
      .sort((a, b) => b.heardAt - a.heardAt)
      .slice(0, MAX_WITNESSES);
  }

  #kept(): KeptWitness[] {
    const monotonic = this.#parts.clock.monotonic();
    return this.#witnesses.map(({ offset, heardAt }) => ({
      time: Math.round(monotonic + offset),
      unheardMs: Math.round(monotonic - heardAt),
    }));
  }
}

const NAME = "clocks";

async function readKept({ db }: Storage): Promise<KeptWitness[]> {
  const row = await db.selectFrom("meta").select("value").where("name", "=", NAME).executeTakeFirst();
  const kept: unknown = row === undefined ? [] : JSON.parse(row.value);
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

function isKept(value: unknown): value is KeptWitness {
  if (typeof value !== "object" || value === null || !("time" in value && "unheardMs" in value)) return false;
  return Number.isFinite(value.time) && Number.isFinite(value.unheardMs);
}

async function keep(storage: Storage, witnesses: KeptWitness[]): Promise<void> {
  const value = JSON.stringify(witnesses);
  await storage.unhurried.write(async (tx) => {
    await tx
      .insertInto("meta")
      .values({ name: NAME, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
  });
}
