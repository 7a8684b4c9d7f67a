import { ApiRefusedError } from "@portico/protocol/client/errors";

/** The delays between tries: the first, and the longest. */
interface Delays {
  firstMs: number;
  longestMs: number;
}

/**
 * Tries something again, each time after twice as long as before. The delays differ by chance, so that the pages that are
 * open do not all ask at the moment when a service comes back.
 */
export class Retry {
  readonly #delays: Delays;
  readonly #run: () => void;
  readonly #random: () => number;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #tries = 0;

  constructor(delays: Delays, run: () => void, random: () => number = Math.random) {
    this.#delays = delays;
    this.#run = run;
    this.#random = random;
  }

  /** Whether a try is to come. */
  get isPending(): boolean {
    return this.#timer !== null;
  }

  /** Tries again later, not before `atLeastMs`. */
  later(atLeastMs = 0): void {
    const { firstMs, longestMs } = this.#delays;
    const delayMs = Math.min(longestMs, firstMs * 2 ** Math.min(this.#tries++, 16));
    this.cancel();
    this.#timer = setTimeout(() => this.now(), Math.max(atLeastMs, delayMs * (0.5 + this.#random() / 2)));
  }

  /** Tries again at once. */
  now(): void {
    this.cancel();
    this.#run();
  }

  /** It has succeeded: the delays begin anew. */
  succeeded(): void {
    this.#tries = 0;
    this.cancel();
  }

  /** Tries no more until it is asked to. */
  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** Whether the service will not answer otherwise until something else changes. */
export function isForGood(error: unknown): error is ApiRefusedError {
  return error instanceof ApiRefusedError && error.httpStatus < 500 && error.httpStatus !== 429;
}

/** How long the service asks to be left alone. */
export function askedToWaitMs(error: unknown): number {
  return error instanceof ApiRefusedError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}
