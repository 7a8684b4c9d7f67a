import type { IncomingMessage } from "node:http";
import { ApiError } from "@portico/protocol";
import { FairQueue } from "../limits/fair-queue.ts";
import type { BufferedBody } from "./buffered-body.ts";
import { parseJsonBody } from "./json-body.ts";
import { RequestAborted } from "./raw-body.ts";

/** Shorter bodies are never heavy. */
const LONG_BYTES = 8 * 1024;
/** A body with so many members and nested values is heavy. */
const HEAVY_PARTS = 2_048;
/** The most heavy bodies that wait, of all callers together. */
const MOST_WAITING = 100;
const MAX_WAIT_MS = 10_000;
/**
 * The rest after a body grows with the square of the time that it took: many short pauses of the process delay nobody
 * by much, but long ones must be rare. It is 2.5 ms after half a millisecond, 250 ms after 5 ms, and the longest after 28 ms.
 * Others wait for a part of the longest, so that several have a turn in their time; whose body it was, for all of it.
 */
const REST_PER_SQUARE_MS = 10;
const LONGEST_REST_MS = 2_000;
const LONGEST_REST_OF_CALLER_MS = 8_000;

const [QUOTE, BACKSLASH, COLON, BRACKET, BRACE] = [0x22, 0x5c, 0x3a, 0x5b, 0x7b];

/** A body that waits for its turn. */
interface Waiting {
  /** False when it no longer waits. */
  begin(): boolean;
  refuse(): void;
}

/**
 * Parses bodies whose JSON takes long: 256 KiB that are deeply nested, or full of keys that no other body has, take 40 ms,
 * in which the process does nothing else, and memory of many times their size. They are parsed one at a time, with rests,
 * for their callers in turn. All other bodies are left to whoever reads them, and never wait.
 */
export class HeavyJson {
  readonly #cpuMs: () => number;
  readonly #waiting = new FairQueue<Waiting>(MOST_WAITING);
  /** Callers that have made all others rest for the longest; so there are few at a time. */
  readonly #resting = new Set<string>();
  #isBusy = false;

  /** @param cpuMs the processor time that this thread has used, in milliseconds. */
  constructor(cpuMs: () => number) {
    this.#cpuMs = cpuMs;
  }

  /**
   * Parses a heavy body when it is its turn; `body` keeps the result, also when it is not JSON.
   *
   * @param caller whose body it is.
   * @returns null, and nothing is to be awaited, when the body is not heavy.
   * @throws ApiError 429001 when too many wait or the wait is too long.
   * @throws RequestAborted when the sender of `request` has disconnected by then.
   */
  parse(body: BufferedBody, caller: string, request: IncomingMessage): Promise<void> | null {
    return isHeavy(body.bytes) ? this.#parseInTurn(body, caller, request) : null;
  }

  async #parseInTurn(body: BufferedBody, caller: string, request: IncomingMessage): Promise<void> {
    if (this.#isBusy || this.#resting.has(caller)) await this.#turn(caller);
    if (request.socket.destroyed) {
      this.#passOn();
      throw new RequestAborted("the caller went away");
    }
    this.#isBusy = true;
    const before = this.#cpuMs();
    body.parsed = outcomeOf(body);
    this.#rest(caller, REST_PER_SQUARE_MS * (this.#cpuMs() - before) ** 2);
  }

  #rest(caller: string, ms: number): void {
    setTimeout(() => this.#passOn(), Math.min(LONGEST_REST_MS, ms)).unref();
    if (ms <= LONGEST_REST_MS) return;
    this.#resting.add(caller);
    const end = () => {
      this.#resting.delete(caller);
      if (!this.#isBusy) this.#passOn();
    };
    setTimeout(end, Math.min(LONGEST_REST_OF_CALLER_MS, ms)).unref();
  }

  #turn(caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (settle: () => void) => {
        if (isOver) return false;
        isOver = true;
        clearTimeout(timer);
        settle();
        return true;
      };
      const refuse = () => void end(() => reject(noTurn()));
      const timer = setTimeout(refuse, MAX_WAIT_MS);
      this.#waiting.add(caller, { begin: () => end(resolve), refuse })?.refuse();
    });
  }

  /** Gives the turn to the next who waits. */
  #passOn(): void {
    const isReady = (caller: string) => !this.#resting.has(caller);
    let next = this.#waiting.take(isReady);
    while (next !== null && !next.begin()) next = this.#waiting.take(isReady);
    this.#isBusy = next !== null;
  }
}

function outcomeOf(body: BufferedBody): BufferedBody["parsed"] {
  try {
    return { value: parseJsonBody(body) };
  } catch (error) {
    return { error };
  }
}

/** Whether the JSON in `bytes` has many members and nested values. Takes half a millisecond at most. */
function isHeavy(bytes: Buffer): boolean {
  if (bytes.length < LONG_BYTES) return false;
  let parts = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COLON || byte === BRACKET || byte === BRACE) parts++;
    if (parts >= HEAVY_PARTS) return true;
  }
  return false;
}

/** The place of the quote that ends the text which begins at `start`. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function noTurn(): ApiError {
  const reason = "other bodies that take long to parse are waiting";
  return new ApiError("BODIES_TOO_MANY", { retryAfterSeconds: 1, reason });
}
