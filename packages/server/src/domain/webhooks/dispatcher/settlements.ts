import type { Storage } from "../../../platform/storage/storage.ts";
import { recordOutcomes, type Settlement } from "../settle-claims.ts";

/** The most outcomes recorded in one unit of work. */
const MAX_BATCH = 128;
const MAX_FAILURES = 3;

interface Waiting {
  settlement: Settlement;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Records the outcomes of claims. Outcomes of an application that arrive while others of it are being recorded are
 * recorded together afterwards: one sync for many.
 */
export class Settlements {
  readonly #storage: Storage;
  /** By application; present while one of its batches is being recorded. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Resolves once the outcome is on disk, or was discarded because the claim had passed to another process. */
  settle(appId: string, settlement: Settlement): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { settlement, resolve, reject };
      const waiting = this.#waiting.get(appId);
      if (waiting === undefined) {
        this.#waiting.set(appId, [entry]);
        void this.#drain(appId);
      } else {
        waiting.push(entry);
      }
    });
  }

  async #drain(appId: string): Promise<void> {
    for (;;) {
      const batch = this.#waiting.get(appId)?.splice(0, MAX_BATCH) ?? [];
      if (batch.length === 0) break;
      await this.#record(appId, batch);
    }
    this.#waiting.delete(appId);
  }

  /**
   * Records a batch in one transaction; if that fails, each outcome in its own, so that none fails because of another.
   * After some failures in a row the database is assumed to be unavailable, and the rest is rejected. Never throws.
   */
  async #record(appId: string, batch: Waiting[]): Promise<void> {
    const settlements = batch.map(({ settlement }) => settlement);
    try {
      await recordOutcomes(this.#storage, appId, settlements);
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
        await recordOutcomes(this.#storage, appId, [settlement]);
        failures = 0;
        resolve();
      } catch (error) {
        failures++;
        reject(error);
      }
    }
  }
}
