import type { IncomingMessage } from "node:http";
import { ApiError } from "@portico/protocol";
import { FairQueue } from "../limits/fair-queue.ts";
import type { BufferedBody } from "./buffered-body.ts";
import { notJson, textOf } from "./json-body.ts";
import { RequestAborted } from "./raw-body.ts";
import { SlicedJson } from "./sliced-json.ts";

/** Shorter bodies are never heavy. */
const LONG_BYTES = 8 * 1024;
/** A body with so many members and nested values is heavy. */
const HEAVY_PARTS = 2_048;
/** The most heavy bodies that wait, of all callers together. */
const MOST_WAITING = 100;
const MAX_WAIT_MS = 10_000;
/** How long the process is kept from others at a time, as far as that can be seen from between two values. */
const SLICE_MS = 1;
/** After a slice others have four times as long. */
const REST_SHARE = 4;
/**
 * What is done with a body afterwards, and the collection of its memory, are in proportion to its parsing and are not cut. So the
 * rest after it grows with the square of that time: many short pauses of the process delay nobody by much, but long ones must
 * be rare. It is 4 ms after 1 ms of parsing, 400 ms after 10, and the longest after 45.
 */
const REST_PER_SQUARE_MS = 4;
const LONGEST_REST_MS = 8_000;
/** The longest for callers of whom no body has needed more of late, so that those who have do not keep them out. */
const LONGEST_REST_OF_OTHERS_MS = 1_000;
const REMEMBERED_MS = 60_000;
/** A rest ends when the process has had less than this much to do for so long: there is nobody whom a pause would delay. */
const QUIET_MS = 150;
const QUIET_WORK_MS = 3;

const [QUOTE, BACKSLASH, COLON, BRACKET, BRACE] = [0x22, 0x5c, 0x3a, 0x5b, 0x7b];

/** A body that waits for its turn. */
interface Waiting {
  /** False when it no longer waits. */
  begin(): boolean;
  refuse(): void;
}

/**
 * Parses bodies whose JSON takes long: 256 KiB that are deeply nested, or full of keys that no other body has, take 40 ms
 * and memory of many times their size. They are parsed one at a time, in slices with rests between, for their callers in turn.
 * All other bodies are left to whoever reads them, and never wait.
 */
export class HeavyJson {
  readonly #cpuMs: () => number;
  readonly #waiting = new FairQueue<Waiting>(MOST_WAITING);
  /** While a body is parsed, and in the rest that is everybody's. */
  #isBusy = false;
  /** In the rest that is not everybody's. */
  #isResting = false;
  /** Who does not go in that rest. There is one in a second at most. */
  readonly #demanding = new Map<string, NodeJS.Timeout>();

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
    if (this.#isBusy || !this.#mayGo(caller)) await this.#turn(caller);
    this.#isBusy = true;
    const spent = { ms: 0 };
    try {
      body.parsed = await this.#outcomeOf(body.bytes, request, spent);
    } finally {
      this.#restAfter(caller, REST_PER_SQUARE_MS * spent.ms ** 2);
    }
  }

  async #outcomeOf(bytes: Buffer, request: IncomingMessage, spent: { ms: number }): Promise<BufferedBody["parsed"]> {
    try {
      return { value: await this.#parseInSlices(textOf(bytes), request, spent) };
    } catch (error) {
      if (error instanceof RequestAborted) throw error;
      return { error: error instanceof SyntaxError ? notJson() : error };
    }
  }

  /** @param spent the time that all slices have taken, also when they end in an error. */
  async #parseInSlices(text: string, request: IncomingMessage, spent: { ms: number }): Promise<unknown> {
    const json = new SlicedJson(text);
    for (;;) {
      if (request.socket.destroyed) throw new RequestAborted("the caller went away");
      const since = this.#cpuMs();
      const tookMs = () => this.#cpuMs() - since;
      try {
        if (json.parse(() => tookMs() < SLICE_MS)) return json.value;
      } finally {
        spent.ms += tookMs();
      }
      await new Promise((resolve) => setTimeout(resolve, SLICE_MS * REST_SHARE));
    }
  }

  #restAfter(caller: string, ms: number): void {
    this.#afterRest(Math.min(LONGEST_REST_OF_OTHERS_MS, ms), () => this.#passOn());
    if (ms <= LONGEST_REST_OF_OTHERS_MS) return;
    clearTimeout(this.#demanding.get(caller));
    this.#demanding.set(caller, setTimeout(() => this.#demanding.delete(caller), REMEMBERED_MS).unref());
    // Not begun anew by each, or some could keep the others out for ever.
    if (this.#isResting) return;
    this.#isResting = true;
    this.#afterRest(Math.min(LONGEST_REST_MS, ms), () => {
      this.#isResting = false;
      if (!this.#isBusy) this.#passOn();
    });
  }

  /** Calls `then` after `ms`, or when the process has been quiet. */
  #afterRest(ms: number, then: () => void): void {
    const before = this.#cpuMs();
    const stepMs = Math.min(QUIET_MS, ms);
    const timer = setTimeout(() => {
      const isQuiet = this.#cpuMs() - before < QUIET_WORK_MS;
      if (isQuiet || ms === stepMs) then();
      else this.#afterRest(ms - stepMs, then);
    }, stepMs);
    timer.unref();
  }

  #mayGo(caller: string): boolean {
    return !this.#isResting || !this.#demanding.has(caller);
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

  /** Gives the turn to the next who waits and may go. */
  #passOn(): void {
    const take = () => this.#waiting.take((caller) => this.#mayGo(caller));
    let next = take();
    while (next !== null && !next.begin()) next = take();
    this.#isBusy = next !== null;
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
