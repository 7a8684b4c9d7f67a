import type { Logger } from "pino";
import type { Config } from "../../../platform/config/config.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { listDueApps } from "../delivery-store.ts";
import type { DueClock } from "../due-clock.ts";
import type { SocketHub } from "./socket-hub.ts";
import { tendWaiting } from "./tend.ts";

/** How often what waits is looked at without a hint. */
const EVERY_MS = 5_000;

/** The dependencies of {@link Tender}. */
export interface TenderParts {
  storage: Storage;
  dueClock: DueClock;
  config: Config;
  log: Logger;
  /** Notifies the dispatchers. */
  due(appId: string): void;
}

/**
 * Sees to what waits for a socket while no connection gets it: see {@link tendWaiting}. Every process does so; nothing
 * depends on which.
 */
export class Tender {
  readonly #parts: TenderParts;
  /** Applications to see to; present until they have been. */
  readonly #asked = new Set<string>();
  #working: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(parts: TenderParts) {
    this.#parts = parts;
  }

  /** Begins to look at intervals, also for connections of dead processes. */
  start(hub: SocketHub): void {
    this.#timer = setInterval(() => void this.round(hub), EVERY_MS);
    this.#timer.unref();
  }

  /** Sees to an application soon. */
  tend(appId: string): void {
    if (this.#isClosing) return;
    this.#asked.add(appId);
    this.#working ??= this.#work();
  }

  /** Sees to all applications of which something waits. Never rejects. */
  async round(hub: SocketHub): Promise<void> {
    const { storage, log } = this.#parts;
    await hub.removeDead();
    try {
      for (const { appId } of await listDueApps(storage.db, "socket")) this.tend(appId);
    } catch (error) {
      log.warn({ err: error }, "what waits for a socket could not be read; read again shortly");
    }
    await this.#working;
  }

  /** Finishes the transaction in progress. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    // In the next turn, so that #working is set before it is cleared.
    await Promise.resolve();
    for (const appId of this.#asked) {
      this.#asked.delete(appId);
      await this.#tend(appId);
      if (this.#isClosing) break;
    }
    this.#working = null;
  }

  async #tend(appId: string): Promise<void> {
    const { storage, dueClock, config, log, due } = this.#parts;
    const { socketHoldMs: holdMs, retryDelaysMs } = config.webhook;
    try {
      for (let isMore = true; isMore && !this.#isClosing; ) {
        const rules = { now: dueClock.now(), holdMs, retryDelaysMs };
        const tended = await storage.write((tx) => tendWaiting(tx, appId, rules), `tend:${appId}`);
        if (tended.isPassedOn) due(appId);
        isMore = tended.isMore;
      }
    } catch (error) {
      log.warn({ err: error, appId }, "what waits for a socket could not be seen to; tried again shortly");
    }
  }
}
