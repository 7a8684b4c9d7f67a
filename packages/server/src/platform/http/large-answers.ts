import type { ServerResponse } from "node:http";
import { ApiError } from "@portico/protocol";
import { PacedSemaphore } from "../limits/paced-semaphore.ts";
import { RequestAborted } from "./raw-body.ts";
import { cutOffWhenSlow } from "./slow-reader.ts";

/** Answers up to this size in bytes are not counted. */
export const SMALL_ANSWER_BYTES = 64 * 1024;
/** The most bytes in memory of an answer that is read while it is sent. */
export const SLICE_BYTES = 256 * 1024;
/** The most bytes of a page of messages, unless its first message alone is larger. */
export const PAGE_BYTES = 1024 * 1024;

/**
 * The most bytes of all large answers of this process until they have been sent; they take up to three times as much
 * memory.
 */
const MOST = 16 * 1024 * 1024;
/** The limit in bytes for one caller, so that nobody blocks the others. */
const MOST_OF_ONE = 2 * 1024 * 1024;
const MOST_WAITING_OF_ONE = 32;
const LONGEST_WAIT_MS = 10_000;
/** The interval over which a reader's rate is measured. */
const RATE_WINDOW_MS = 10_000;

interface Waiting {
  caller: string;
  bytes: number;
  begin(): void;
}

/**
 * Limits the memory that large answers take until the client has received them, and the share of the process's time
 * that composing them takes. Small answers are not counted and never wait.
 */
export class LargeAnswers {
  readonly #heldBy = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  readonly #turns = new PacedSemaphore();
  #held = 0;

  /**
   * Waits until there is room for an answer of `bytes`, which is reserved until `response` ends. The connection of a
   * slow reader is closed.
   *
   * @param caller the owner of the answer.
   * @throws ApiError 429001 when there is no room for too long; RequestAborted when the reader disconnects meanwhile.
   */
  async enter(caller: string, response: ServerResponse, bytes: number): Promise<void> {
    if (bytes <= SMALL_ANSWER_BYTES) return;
    const held = Math.min(bytes, MOST_OF_ONE);
    await this.#wait(caller, response, held);
    // A pipelined response that waits for the previous answer has no reader yet.
    const isWaiting = () => response.socket !== null && response.writableLength > 0;
    const stopWatching = cutOffWhenSlow(response, RATE_WINDOW_MS, isWaiting);
    response.once("close", () => {
      stopWatching();
      this.#count(this.#heldBy, caller, -held);
      this.#held -= held;
      this.#admit();
    });
  }

  /**
   * Runs `work`, which reads about `bytes`. Large reads run one at a time with pauses, in which other calls get the
   * event loop and the database. Rows should be converted within `work`, too.
   */
  async read<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    return bytes <= SMALL_ANSWER_BYTES ? await work() : await this.#turns.run(work);
  }

  #wait(caller: string, response: ServerResponse, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (response.closed) return reject(new RequestAborted("the reader went away"));
      if ((this.#waitingOf.get(caller) ?? 0) >= MOST_WAITING_OF_ONE) return reject(tooMany());
      const leave = () => {
        clearTimeout(timer);
        response.off("close", giveUp);
        this.#waiting.delete(waiting);
        this.#count(this.#waitingOf, caller, -1);
      };
      const giveUp = () => {
        leave();
        reject(response.closed ? new RequestAborted("the reader went away") : tooMany());
      };
      const begin = () => {
        leave();
        resolve();
      };
      const waiting = { caller, bytes, begin };
      const timer = setTimeout(giveUp, LONGEST_WAIT_MS);
      response.once("close", giveUp);
      this.#waiting.add(waiting);
      this.#count(this.#waitingOf, caller, 1);
      this.#admit();
    });
  }

  /**
   * Begins waiting answers for which there is room, in order. One that exceeds its caller's limit does not block
   * others.
   */
  #admit(): void {
    for (const waiting of this.#waiting) {
      const { caller, bytes } = waiting;
      if ((this.#heldBy.get(caller) ?? 0) + bytes > MOST_OF_ONE) continue;
      if (this.#held + bytes > MOST) return;
      this.#count(this.#heldBy, caller, bytes);
      this.#held += bytes;
      waiting.begin();
    }
  }

  #count(counts: Map<string, number>, caller: string, change: number): void {
    const count = (counts.get(caller) ?? 0) + change;
    if (count === 0) counts.delete(caller);
    else counts.set(caller, count);
  }
}

function tooMany(): ApiError {
  return new ApiError("ANSWERS_TOO_MANY", { retryAfterSeconds: 1 });
}
