import { FairQueue } from "./fair-queue.ts";

/** How fast those who wait go, and how many may wait. */
export interface PaceLimits {
  everyMs: number;
  /** Of all callers together, like the bytes that their waiting keeps in memory. */
  maxWaiting: number;
  maxBytes: number;
}

/** After a pause of the process, no more go at once than leave it to others again soon. */
const MOST_AT_ONCE = 100;

interface Waiting {
  bytes: number;
  go(): void;
  isGone(): boolean;
}

/**
 * Lets those who come go one after another, evenly spaced, callers in turn: however many one caller sends, another waits for
 * one of each. What there is no room for does not wait.
 */
export class FairPace {
  readonly #limits: PaceLimits;
  readonly #now: () => number;
  readonly #waiting: FairQueue<Waiting>;
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #hasEnded = false;

  /** @param now a clock that only goes forward, in milliseconds. */
  constructor(limits: PaceLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#waiting = new FairQueue(limits.maxWaiting);
  }

  /**
   * Resolves when it is the caller's turn.
   *
   * @param bytes what the waiting keeps in memory.
   * @param isGone whether nobody waits any more: such a caller takes nobody's turn.
   * @returns null, and nothing is to be awaited, when nobody has gone less than the interval ago, or there is no room.
   */
  next(caller: string, bytes: number, isGone: () => boolean = () => false): Promise<void> | null {
    if (this.#hasEnded) return null;
    if (this.#timer === null) {
      this.#rest();
      return null;
    }
    if (this.#waiting.isFull || this.#bytes + bytes > this.#limits.maxBytes) return null;
    this.#bytes += bytes;
    return new Promise((resolve) => this.#waiting.add(caller, { bytes, go: resolve, isGone }));
  }

  /** Nobody waits any more, now or later. */
  end(): void {
    this.#hasEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#letGo(Number.POSITIVE_INFINITY);
  }

  /** A busy process comes to its timers late: as many go then as would have gone by now. */
  #rest(): void {
    const since = this.#now();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const due = Math.floor((this.#now() - since) / this.#limits.everyMs);
      const went = this.#letGo(Math.min(Math.max(due, 1), MOST_AT_ONCE));
      if (went > 0 || !this.#waiting.isEmpty) this.#rest();
    }, this.#limits.everyMs);
  }

  /** Lets the next ones go; returns how many went who were still there. */
  #letGo(most: number): number {
    let went = 0;
    for (let ended = 0; went < most && ended < most + MOST_AT_ONCE; ended++) {
      const next = this.#waiting.take();
      if (next === null) break;
      this.#bytes -= next.bytes;
      if (!next.isGone()) went++;
      next.go();
    }
    return went;
  }
}
