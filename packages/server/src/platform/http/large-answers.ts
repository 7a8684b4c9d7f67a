import type { ServerResponse } from "node:http";
import { ApiError } from "@portico/protocol";
import { PacedSemaphore } from "../limits/paced-semaphore.ts";
import { SharedRoom } from "../limits/shared-room.ts";
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
const MAX_BYTES = 16 * 1024 * 1024;
/** The limit in bytes for one caller, so that nobody blocks the others. */
const MAX_BYTES_PER_CALLER = 2 * 1024 * 1024;
const MAX_WAITING_PER_CALLER = 32;
const MAX_WAIT_MS = 10_000;
/** The interval over which a reader's rate is measured. */
const RATE_WINDOW_MS = 10_000;

/**
 * Limits the memory that large answers take until the client has received them, and the share of the process's time
 * that composing them takes. Small answers are not counted and never wait.
 */
export class LargeAnswers {
  readonly #room = new SharedRoom({
    max: MAX_BYTES,
    maxPerCaller: MAX_BYTES_PER_CALLER,
    maxWaitingPerCaller: MAX_WAITING_PER_CALLER,
    maxWaitMs: MAX_WAIT_MS,
  });
  readonly #turns = new PacedSemaphore();

  /**
   * Waits until there is room for an answer of `bytes`, which is reserved until `response` ends. The connection of a
   * slow reader is closed.
   *
   * @param caller the owner of the answer.
   * @throws ApiError 429001 when there is no room for too long; RequestAborted when the reader disconnects meanwhile.
   */
  async reserve(caller: string, response: ServerResponse, bytes: number): Promise<void> {
    if (bytes <= SMALL_ANSWER_BYTES) return;
    const release = await this.#room.acquire(caller, bytes, response);
    if (release === null) throw new ApiError("ANSWERS_TOO_MANY", { retryAfterSeconds: 1 });
    // A pipelined response that waits for the previous answer has no reader yet.
    const isWaiting = () => response.socket !== null && response.writableLength > 0;
    const stopWatching = cutOffWhenSlow(response, RATE_WINDOW_MS, isWaiting);
    response.once("close", () => {
      stopWatching();
      release();
    });
  }

  /**
   * Runs `work`, which reads about `bytes`. Large reads run one at a time with pauses, in which other calls get the
   * event loop and the database. Rows should be converted within `work`, too.
   */
  async read<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    return bytes <= SMALL_ANSWER_BYTES ? await work() : await this.#turns.run(work);
  }
}
