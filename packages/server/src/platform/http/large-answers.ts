import type { ServerResponse } from "node:http";
import { ApiError } from "@portico/protocol";
import { PacedSemaphore } from "../limits/paced-semaphore.ts";
import { RequestAborted } from "./raw-body.ts";
import { cutOffWhenSlow } from "./slow-reader.ts";

/** Answers up to this size in bytes are not counted. */
export const SMALL_ANSWER_BYTES = 64 * 1024;
/** The most bytes in memory of an answer that is read while it is sent. */
export const SLICE_BYTES = 256 * 1024;
/** What a page of messages may take, beyond a first one that alone takes more. */
export const PAGE_BYTES = 1024 * 1024;

/** What all large answers of this process may hold until their readers have taken them; in memory up to three times that. */
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
   * Waits until there is room for what `response` is going to hold, which is its own until it is over. Its reader is cut
   * off when too slow.
   *
   * @param caller whose answer it is.
   * @throws ApiError 429001 when there is no room for too long; RequestAborted when the reader goes away meanwhile.
   */
  async enter(caller: string, response: ServerResponse, bytes: number): Promise<void> {
    if (bytes <= SMALL_ANSWER_BYTES) return;
    const held = Math.min(bytes, MOST_OF_ONE);
    await this.#wait(caller, response, held);
    // One that waits for the answer before it on the same connection has no reader yet.
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

  /** Has those begin that there is room for, in their order; whoever waits for an answer of their own holds up nobody else. */
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
