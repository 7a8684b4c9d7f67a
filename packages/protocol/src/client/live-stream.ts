import { Places } from "./places.ts";
import type { StreamKind } from "./stream-kinds.ts";

/** The idle time after which the connection is checked. */
const SILENCE_MS = 30_000;
/** The time limit of that check, and of signing in. */
const ANSWER_MS = 10_000;
/** The age of a connection without any event at which it is replaced. */
const UNPROVEN_MS = 300_000;
/** The delays between connection attempts: the first, and the longest. */
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** After a connection of this duration, the delays start again from the first. */
const STEADY_MS = 10_000;

/**
 * Close codes after which a new connection would end in the same way (docs/contract/streams.md#the-end-of-a-stream).
 */
const FINAL_CODES: ReadonlyMap<number, StreamEnd> = new Map([
  [4401, "signed-out"],
  [1007, "misused"],
  [1008, "misused"],
  [1009, "misused"],
]);

/**
 * Why a stream has ended for good: the token is invalid, the client broke the protocol, or it called
 * {@link LiveStream.close}.
 */
export type StreamEnd = "signed-out" | "misused" | "closed";

/** The state of the stream. Events that occur while it is not live are delivered once it is again. */
export type StreamState = "connecting" | "live" | "waiting" | "ended";

/** The parts of a WebSocket that a stream uses; a browser's and Node's both fit. */
export interface StreamSocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(): void;
}

/** Dependencies on the host, each with the host's own as its default. */
export interface StreamHost {
  connect?: (url: string) => StreamSocket;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random?: () => number;
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Calls `run` once after a delay. The returned function cancels that. */
  after?: (delayMs: number, run: () => void) => () => void;
}

/** Settings of a stream. */
export interface LiveStreamOptions<Frame extends { type: string }> extends StreamHost {
  /** The service's origin, such as https://chat.example.com. */
  baseUrl: string;
  kind: StreamKind<Frame>;
  /** The token, or a function that returns the current one, called for each connection. */
  token: string | (() => string | Promise<string>);
  /** The last place that has been read in each conversation. */
  places?: Iterable<readonly [key: string, seq: number]>;
  /** Called with each event, exactly once and in order within each conversation, also across reconnects. */
  onFrame: (frame: Frame) => void;
  onState?: (state: StreamState) => void;
  /**
   * Called with conversations that do not, or no longer, belong to the owner of the stream; they are not resumed any
   * more.
   */
  onUnreachable?: (keys: string[]) => void;
  /** Called once, when the stream has ended for good. */
  onEnd?: (end: StreamEnd) => void;
}

/**
 * A live stream that reconnects after a failure, with increasing delays, and resumes each conversation after its last
 * place.
 *
 * @example
 * const stream = new LiveStream({ baseUrl, kind: MEMBER_STREAM, token, places, onFrame: ({ message }) => show(message) });
 * stream.close();
 */
export class LiveStream<Frame extends { type: string }> {
  readonly #options: LiveStreamOptions<Frame>;
  readonly #host: Required<StreamHost>;
  readonly #places = new Places();
  /** Conversations with a gap whose missing events were requested on this connection. */
  readonly #asked = new Set<string>();
  #socket: StreamSocket | null = null;
  #state: StreamState = "connecting";
  #tries = 0;
  #liveSince = 0;
  #isProbing = false;
  #stopTimer = () => {};

  constructor(options: LiveStreamOptions<Frame>) {
    this.#options = options;
    this.#host = { ...HOST, ...given(options) };
    for (const [key, seq] of options.places ?? []) this.#places.set({ key, seq });
    void this.#connect();
  }

  get state(): StreamState {
    return this.#state;
  }

  /** The last place that has been read in each conversation. */
  get places(): ReadonlyMap<string, number> {
    return this.#places.all;
  }

  /**
   * Requests the events of a conversation after a place, at once or when the stream is live, and continues from there.
   */
  follow(key: string, seq: number): void {
    this.#places.set({ key, seq });
    this.#asked.add(key);
    this.#resume(new Map([[key, seq]]));
  }

  /**
   * Sends a frame such as `{type: "typing"}`.
   *
   * @returns false when the stream is not live and nothing was sent.
   */
  send(frame: { type: string }): boolean {
    if (this.#state !== "live") return false;
    this.#socket?.send(JSON.stringify(frame));
    return true;
  }

  /**
   * Finds out at once whether the connection works, for when the host knows that it may not: the network has changed, or
   * the host was asleep. Ends a wait between two tries.
   */
  check(): void {
    if (this.#state === "live" && !this.#isProbing) this.#probe();
    if (this.#state !== "waiting") return;
    this.#stopTimer();
    void this.#connect();
  }

  /** Ends the stream for good. */
  close(): void {
    this.#end("closed");
  }

  async #connect(): Promise<void> {
    this.#enter("connecting");
    const { token, baseUrl, kind } = this.#options;
    let accessToken: string;
    try {
      accessToken = typeof token === "function" ? await token() : token;
    } catch {
      this.#lost();
      return;
    }
    if (this.#state === "ended") return;
    const url = new URL(kind.path, baseUrl);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    let socket: StreamSocket;
    try {
      socket = this.#host.connect(url.href);
    } catch {
      // A host may refuse at once, as browsers do by a page's policy. It may allow the next one.
      this.#lost();
      return;
    }
    this.#socket = socket;
    this.#watch(ANSWER_MS, () => this.#lost());
    socket.onopen = () => socket.send(JSON.stringify({ type: "auth", accessToken }));
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code }) => {
      const end = FINAL_CODES.get(code);
      if (end === undefined) this.#lost();
      else this.#end(end);
    };
    // The close event that follows has the reason.
    socket.onerror = () => {};
  }

  #take(data: unknown): void {
    const frame = readFrame(data);
    if (frame === null) return;
    if (this.#state === "live") this.#awaitSilence();
    if (frame.type === "ready") this.#begin();
    else if (frame.type === "error") this.#forget(frame);
    // The service sends only frames of the stream's kind.
    else this.#tell(frame as Frame);
  }

  #tell(told: Frame): void {
    const place = this.#options.kind.placeOf(told);
    const what = place === null ? "next" : this.#places.take(place);
    if (place !== null && what === "next") this.#asked.delete(place.key);
    if (place !== null && what === "ahead") this.#askAgain(place.key);
    if (what === "next") this.#options.onFrame(told);
  }

  #begin(): void {
    this.#asked.clear();
    this.#liveSince = this.#host.now();
    this.#enter("live");
    this.#awaitSilence();
    for (const part of this.#places.parts()) {
      for (const key of part.keys()) this.#asked.add(key);
      this.#resume(part);
    }
  }

  /** Drops an event that is ahead of a gap: it is sent again in its order, after the missing ones. */
  #askAgain(key: string): void {
    const seq = this.#places.all.get(key);
    if (seq === undefined || this.#asked.has(key)) return;
    this.#asked.add(key);
    this.#resume(new Map([[key, seq]]));
  }

  #resume(places: ReadonlyMap<string, number>): void {
    this.send({ type: "resume", afterSeq: this.#options.kind.afterSeq(places) } as { type: string });
  }

  #forget({ conversationIds, visitorIds }: AnyFrame): void {
    const keys = [conversationIds, visitorIds].flatMap((ids) => (Array.isArray(ids) ? ids.map(String) : []));
    for (const key of keys) this.#places.forget(key);
    if (keys.length > 0) this.#options.onUnreachable?.(keys);
  }

  #awaitSilence(): void {
    this.#isProbing = false;
    this.#watch(SILENCE_MS, () => this.#probe());
  }

  /**
   * Asks the service for the newest event again, and ignores it. This detects a dead connection: a page cannot see
   * WebSocket pings.
   */
  #probe(): void {
    const newest = this.#places.newest;
    if (newest !== null && newest.seq > 0) {
      this.#isProbing = true;
      this.#resume(new Map([[newest.key, newest.seq - 1]]));
      this.#watch(ANSWER_MS, () => this.#lost());
    } else if (this.#host.now() - this.#liveSince < UNPROVEN_MS) {
      this.#awaitSilence();
    } else {
      // There is no event yet that could be asked for.
      this.#lost();
    }
  }

  #lost(): void {
    if (this.#state === "ended" || this.#state === "waiting") return;
    if (this.#state === "live" && this.#host.now() - this.#liveSince >= STEADY_MS) this.#tries = 0;
    this.#drop();
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(this.#tries++, 16));
    this.#enter("waiting");
    // Randomised, so that many clients do not reconnect at the same time.
    this.#watch(delayMs * (0.5 + this.#host.random() / 2), () => void this.#connect());
  }

  #end(end: StreamEnd): void {
    if (this.#state === "ended") return;
    this.#drop();
    this.#enter("ended");
    this.#options.onEnd?.(end);
  }

  /** Does not wait for the close event, which takes long on a dead connection. */
  #drop(): void {
    this.#stopTimer();
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #watch(delayMs: number, run: () => void): void {
    this.#stopTimer();
    this.#stopTimer = this.#host.after(delayMs, run);
  }

  #enter(state: StreamState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onState?.(state);
  }
}

const HOST: Required<StreamHost> = {
  connect: (url) => new WebSocket(url) as StreamSocket,
  random: Math.random,
  now: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The given members of the host, without undefined ones. */
function given({ connect, random, now, after }: StreamHost): StreamHost {
  return { ...(connect && { connect }), ...(random && { random }), ...(now && { now }), ...(after && { after }) };
}

interface AnyFrame {
  type: string;
  conversationIds?: unknown;
  visitorIds?: unknown;
}

/** Null when the data is not a frame. */
function readFrame(data: unknown): AnyFrame | null {
  if (typeof data !== "string") return null;
  try {
    const frame: unknown = JSON.parse(data);
    if (typeof frame !== "object" || frame === null || !("type" in frame)) return null;
    return typeof frame.type === "string" ? (frame as AnyFrame) : null;
  } catch {
    return null;
  }
}
