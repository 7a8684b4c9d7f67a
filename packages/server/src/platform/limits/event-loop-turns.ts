import { AsyncResource } from "node:async_hooks";

/** How long pieces of work may run in one turn of the event loop. */
export interface TurnBudget {
  /** After this many milliseconds no further piece is started in the same turn; 0: one piece in each turn. */
  ms: number;
  /** A monotonic clock in milliseconds. */
  monotonic(): number;
}

const ONE_PIECE: TurnBudget = { ms: 0, monotonic: () => 0 };

/**
 * Starts little work in each turn of the event loop, first come, first served: CPU-bound work from many callers then
 * leaves time for everything else. A turn is asked of the system, so a budget that lets several short pieces share one is
 * cheaper, and what they ask of a database goes together.
 */
export class EventLoopTurns {
  readonly #budget: TurnBudget;
  readonly #waiting: (() => void)[] = [];
  /** When the first piece of this turn was started; null when none was. */
  #startedAt: number | null = null;
  #isScheduled = false;

  constructor(budget: TurnBudget = ONE_PIECE) {
    this.#budget = budget;
  }

  /** Resolves when the caller may start. */
  next(): Promise<void> {
    return new Promise((resolve) => this.run(resolve));
  }

  /** Calls `start` when its work may start, which may be at once; in any case in the caller's asynchronous context. */
  run(start: () => void): void {
    this.#schedule();
    if (this.#waiting.length === 0 && this.#mayStart()) start();
    else this.#waiting.push(AsyncResource.bind(start));
  }

  /** Whether the budget of this turn allows another piece, which counts as started. */
  #mayStart(): boolean {
    if (this.#startedAt === null) {
      this.#startedAt = this.#budget.monotonic();
      return true;
    }
    return this.#budget.monotonic() - this.#startedAt < this.#budget.ms;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startedAt = null;
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    if (this.#waiting.length === 0) return;
    this.#schedule();
    if (!this.#mayStart()) return;
    this.#waiting.shift()?.();
    // The next one after the first's own continuations have run: only then is it known how long it took.
    queueMicrotask(() => process.nextTick(() => this.#startWaiting()));
  }
}
