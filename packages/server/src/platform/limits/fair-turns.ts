import type { Writable } from "node:stream";
import { RequestAborted } from "../http/raw-body.ts";
import { FairQueue } from "./fair-queue.ts";

/** How many pieces of work run, and how many wait. */
export interface TurnLimits {
  atOnce: number;
  /** A turn is taken for so long at least, which bounds how many begin in a second. */
  leastMs: number;
  /** Of all callers together. */
  maxWaiting: number;
  maxWaitMs: number;
}

interface Waiting {
  /** False when nobody waits any more, and the turn goes to the next. */
  begin(): boolean;
  refuse(): void;
}

/**
 * Turns at something that few may use at once. Callers who wait are served round-robin: however many pieces one brings, another
 * waits for one turn of each, and when too many wait, those go who bring most.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #waiting: FairQueue<Waiting>;
  #running = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    this.#waiting = new FairQueue(limits.maxWaiting);
  }

  /**
   * Runs `work` when it is the caller's turn; its result is returned when it is there, however long the turn is.
   *
   * @returns null, and nothing was run, when too many wait or the wait is too long.
   * @throws RequestAborted when the reader of `response` has disconnected by then.
   */
  async run<T>(caller: string, response: Writable, work: () => Promise<T>): Promise<{ value: T } | null> {
    if (this.#running < this.#limits.atOnce) this.#running++;
    else if (!(await this.#wait(caller))) return null;
    if (response.closed) {
      this.#passOn();
      throw new RequestAborted("the caller went away");
    }
    const beganAt = performance.now();
    try {
      return { value: await work() };
    } finally {
      const restMs = this.#limits.leastMs - (performance.now() - beganAt);
      if (restMs > 0) setTimeout(() => this.#passOn(), restMs);
      else this.#passOn();
    }
  }

  #wait(caller: string): Promise<boolean> {
    return new Promise((resolve) => {
      let isOver = false;
      const end = (isIn: boolean) => {
        if (isOver) return false;
        isOver = true;
        clearTimeout(timer);
        resolve(isIn);
        return isIn;
      };
      const timer = setTimeout(end, this.#limits.maxWaitMs, false);
      const dropped = this.#waiting.add(caller, { begin: () => end(true), refuse: () => void end(false) });
      dropped?.refuse();
    });
  }

  /** Gives a turn that has ended to the next who waits. */
  #passOn(): void {
    for (let next = this.#waiting.take(); next !== null; next = this.#waiting.take()) if (next.begin()) return;
    this.#running--;
  }
}
