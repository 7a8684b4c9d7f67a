import { FairQueue } from "./fair-queue.ts";

/** How fast those who wait go, and how many may wait. */
export interface PaceLimits {
  everyMs: number;
  /** Of all callers together, like the bytes that their waiting keeps in memory. */
  maxWaiting: number;
  maxBytes: number;
}

interface Waiting {
  bytes: number;
  go(): void;
}

/**
 * Lets those who come go one after another, evenly spaced, callers in turn: however many one caller sends, another waits for
 * one of each. What there is no room for does not wait.
 */
export class FairPace {
  readonly #limits: PaceLimits;
  readonly #waiting: FairQueue<Waiting>;
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #hasEnded = false;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
    this.#waiting = new FairQueue(limits.maxWaiting);
  }

  /**
   * Resolves when it is the caller's turn.
   *
   * @param bytes what the waiting keeps in memory.
   * @returns null, and nothing is to be awaited, when nobody has gone less than the interval ago, or there is no room.
   */
  next(caller: string, bytes: number): Promise<void> | null {
    if (this.#hasEnded) return null;
    if (this.#timer === null) {
      this.#rest();
      return null;
    }
    if (this.#waiting.isFull || this.#bytes + bytes > this.#limits.maxBytes) return null;
    this.#bytes += bytes;
    return new Promise((resolve) => this.#waiting.add(caller, { bytes, go: resolve }));
  }

  /** Nobody waits any more, now or later. */
  end(): void {
    this.#hasEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#letOneGo());
  }

  #rest(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#letOneGo()) this.#rest();
    }, this.#limits.everyMs);
  }

  #letOneGo(): boolean {
    const next = this.#waiting.take();
    if (next === null) return false;
    this.#bytes -= next.bytes;
    next.go();
    return true;
  }
}
