import type { Writable } from "node:stream";
import { RequestAborted } from "../http/raw-body.ts";

/** How much room there is, in whatever unit, and how many may wait for it. */
export interface RoomLimits {
  /** For all callers together. */
  max: number;
  /** For one caller, so that nobody blocks the others. */
  maxPerCaller: number;
  /** How many pieces of one caller may wait. */
  maxWaitingPerCaller: number;
  maxWaitMs: number;
}

interface Waiting {
  caller: string;
  size: number;
  begin(): void;
}

/**
 * Room that callers share, for answers on their way to their readers. What finds none waits its turn, for as long as its
 * reader is there.
 */
export class SharedRoom {
  readonly #limits: RoomLimits;
  readonly #heldBy = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #held = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  /**
   * Waits until there is room for `size`; what is larger than a caller's limit counts as much as that.
   *
   * @param response the answer that needs the room.
   * @returns a function that gives the room back, to be called once, at the latest when `response` closes; null when too
   * many wait, or there is no room in time.
   * @throws RequestAborted when the reader of the answer disconnects meanwhile.
   */
  async acquire(caller: string, size: number, response: Writable): Promise<(() => void) | null> {
    const taken = Math.min(size, this.#limits.maxPerCaller);
    if (!(await this.#wait(caller, taken, response))) return null;
    const release = () => {
      count(this.#heldBy, caller, -taken);
      this.#held -= taken;
      this.#admit();
    };
    if (!response.closed) return release;
    // The reader disconnected in the tick in which the wait ended: no `close` would have the room given back.
    release();
    throw readerGone();
  }

  #wait(caller: string, size: number, response: Writable): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (response.closed) return reject(readerGone());
      if ((this.#waitingOf.get(caller) ?? 0) >= this.#limits.maxWaitingPerCaller) return resolve(false);
      const stop = () => {
        clearTimeout(timer);
        response.off("close", onClose);
        this.#waiting.delete(waiting);
        count(this.#waitingOf, caller, -1);
      };
      const onClose = () => {
        stop();
        reject(readerGone());
      };
      const end = (isIn: boolean) => {
        stop();
        resolve(isIn);
      };
      const waiting = { caller, size, begin: () => end(true) };
      const timer = setTimeout(end, this.#limits.maxWaitMs, false);
      response.once("close", onClose);
      this.#waiting.add(waiting);
      count(this.#waitingOf, caller, 1);
      this.#admit();
    });
  }

  /** Begins what waits and has room, in order. What exceeds its caller's limit does not block others. */
  #admit(): void {
    const { max, maxPerCaller } = this.#limits;
    for (const waiting of this.#waiting) {
      const { caller, size } = waiting;
      if ((this.#heldBy.get(caller) ?? 0) + size > maxPerCaller) continue;
      if (this.#held + size > max) return;
      count(this.#heldBy, caller, size);
      this.#held += size;
      waiting.begin();
    }
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

function readerGone(): RequestAborted {
  return new RequestAborted("the reader went away");
}
