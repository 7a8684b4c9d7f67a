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

/** A witness as it is kept across restarts: the time it shows, and for how long it has not been heard. */
interface KeptWitness {
  time: number;
  unheardMs: number;
}

/** What the clocks are read from. */
export interface WitnessParts {
  storage: Storage;
  clock: Clock;
  /** The database's clock, in epoch milliseconds; null when it has none of its own. */
  databaseNow(): Promise<number | null>;
}

/**
 * Says what time has surely passed, for all that frees or removes something for good: no single clock is believed.
 *
 * Witnesses are the machine's clock, the database's, and each time that either of them has shown before, reckoned on with
 * the monotonic clock; they are kept in the database, so that a restart does not have only a clock that may be wrong just
 * then. A clock that was set, or a service that was stopped, makes one witness more. It is not heard again, and a
 * disagreement is over once it has been unheard for as long as the thing in question lives, but for an hour at least and a
 * day at most: a clock that has stood so long by what it says is believed.
 */
export class ClockWitnesses {
  readonly #parts: WitnessParts;
  #witnesses: Witness[] = [];

  constructor(parts: WitnessParts) {
    this.#parts = parts;
    this.#hear(parts.clock.now());
  }

  /** The witnesses that this database remembers, and those that are heard now. */
  static async recall(parts: WitnessParts): Promise<ClockWitnesses> {
    const witnesses = new ClockWitnesses(parts);
    const monotonic = parts.clock.monotonic();
    for (const { time, unheardMs } of await readKept(parts.storage)) {
      witnesses.#witnesses.push({ offset: time - monotonic, heardAt: monotonic - unheardMs });
    }
    await witnesses.hear();
    return witnesses;
  }

  /** Asks the clocks, and keeps what they have said. To be called before anything is removed, and often. */
  async hear(): Promise<void> {
    const databaseNow = await this.#parts.databaseNow();
    if (databaseNow !== null) this.#hear(databaseNow);
    this.#hear(this.#parts.clock.now());
    await keep(this.#parts.storage, this.#kept());
  }

  /** What time it may be, in whole epoch milliseconds as they are kept, for things that live for `lifeMs`. */
  times(lifeMs: number): number[] {
    const { clock } = this.#parts;
    this.#hear(clock.now());
    const monotonic = clock.monotonic();
    const heardSince = monotonic - Math.min(Math.max(lifeMs, HOUR_MS), DAY_MS);
    return this.#witnesses
      .filter(({ heardAt }) => heardAt >= heardSince)
      .map(({ offset }) => Math.round(monotonic + offset));
  }

  /** The latest moment that has passed by every clock, in epoch milliseconds, for things that live for `lifeMs`. */
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
      // The two clocks do not run quite alike: what is reckoned on must not run ahead of what is shown.
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
