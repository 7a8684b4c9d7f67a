import type { Readable } from "node:stream";
import { RequestAborted } from "../http/raw-body.ts";

/** So many pieces run at once without a wait: a database that is some milliseconds away is asked by several. */
const AT_ONCE = 4;
/** Beyond these, another piece begins every so many milliseconds, even if none has ended. */
const BESIDE_AFTER_MS = 2;

/**
 * Runs few pieces of work at once, first come, first served, so that a burst of them leaves what they share (the event
 * loop, the database) to others. A piece that takes long, because its database is far away or silent, holds up
 * none: the next begins beside it, so that hundreds a second begin in any case. What waits belongs to a request each, so
 * no more wait than there are connections.
 */
export class SideBySide {
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | null = null;

  /**
   * Runs `work` when it is its turn.
   *
   * @throws RequestAborted when the sender of `request` has disconnected by then: nobody would get the result.
   */
  async run<T>(request: Readable, work: () => Promise<T>): Promise<T> {
    if (this.#running < AT_ONCE) this.#running++;
    else await this.#turn();
    try {
      if (request.destroyed) throw new RequestAborted("the caller went away");
      return await work();
    } finally {
      this.#running--;
      if (this.#running < AT_ONCE) this.#beginNext();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#timer ??= setTimeout(this.#beginNext, BESIDE_AFTER_MS);
    });
  }

  readonly #beginNext = () => {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const begin = this.#waiting.shift();
    if (begin === undefined) return;
    this.#running++;
    begin();
    if (this.#waiting.length > 0) this.#timer = setTimeout(this.#beginNext, BESIDE_AFTER_MS);
  };
}
