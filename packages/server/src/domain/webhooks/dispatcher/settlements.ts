import type { Settlement } from "../settle-claims.ts";

/** The most outcomes recorded in one unit of work. */
const MAX_BATCH = 128;
const MAX_FAILURES = 3;
/** An application's outcomes are recorded this often while they come in a stream, or as soon as enough of them wait. */
const GATHER_MS = 20;
const MOST_GATHERED = 32;

type RecordOutcomes = (appId: string, settlements: readonly Settlement[]) => Promise<void>;

interface Waiting {
  settlement: Settlement;
  resolve(): void;
  reject(error: unknown): void;
}

/** The outcomes of an application that wait, while others of it are being recorded, or were a moment ago. */
class Gathering {
  readonly waiting: Waiting[] = [];
  readonly #enough: number;
  #onEnough: () => void = () => {};

  /** @param enough the number of outcomes that need not wait for more. */
  constructor(enough: number) {
    this.#enough = enough;
  }

  get hasEnough(): boolean {
    return this.waiting.length >= this.#enough;
  }

  add(entry: Waiting): void {
    this.waiting.push(entry);
    if (this.hasEnough) this.#onEnough();
  }

  /** Resolves when enough of them wait, and after `ms` at the latest. Call it again only after that. */
  untilEnough(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onEnough = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Records the outcomes of claims. The first of an application is recorded at once; those that follow shortly are recorded
 * together, in one statement with one sync: a process that dies meanwhile has these few delivered again by others.
 */
export class Settlements {
  readonly #recordOutcomes: RecordOutcomes;
  readonly #enough: number;
  /** By application; present until none has come for {@link GATHER_MS}. */
  readonly #gatherings = new Map<string, Gathering>();

  /**
   * @param recordOutcomes records outcomes of one application, all or none of them.
   * @param perApp the concurrent attempts of an application: so many outcomes wait for no others.
   */
  constructor(recordOutcomes: RecordOutcomes, perApp: number) {
    this.#recordOutcomes = recordOutcomes;
    this.#enough = Math.min(perApp, MOST_GATHERED);
  }

  /** Resolves once the outcome is on disk, or was discarded because the claim had passed to another process. */
  settle(appId: string, settlement: Settlement): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { settlement, resolve, reject };
      const gathering = this.#gatherings.get(appId);
      if (gathering !== undefined) return gathering.add(entry);
      const begun = new Gathering(this.#enough);
      begun.add(entry);
      this.#gatherings.set(appId, begun);
      void this.#drain(appId, begun);
    });
  }

  async #drain(appId: string, gathering: Gathering): Promise<void> {
    while (gathering.waiting.length > 0) {
      const batch = gathering.waiting.splice(0, MAX_BATCH);
      const next = gathering.untilEnough(GATHER_MS);
      await this.#record(appId, batch);
      if (!gathering.hasEnough) await next;
    }
    this.#gatherings.delete(appId);
  }

  /**
   * Records a batch in one transaction; if that fails, each outcome in its own, so that none fails because of another.
   * After some failures in a row the database is assumed to be unavailable, and the rest is rejected. Never throws.
   */
  async #record(appId: string, batch: Waiting[]): Promise<void> {
    const settlements = batch.map(({ settlement }) => settlement);
    try {
      await this.#recordOutcomes(appId, settlements);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      await this.#recordSingly(appId, batch, error);
    }
  }

  async #recordSingly(appId: string, batch: Waiting[], failure: unknown): Promise<void> {
    let failures = batch.length === 1 ? MAX_FAILURES : 0;
    for (const { settlement, resolve, reject } of batch) {
      if (failures >= MAX_FAILURES) {
        reject(failure);
        continue;
      }
      try {
        await this.#recordOutcomes(appId, [settlement]);
        failures = 0;
        resolve();
      } catch (error) {
        failures++;
        reject(error);
      }
    }
  }
}
