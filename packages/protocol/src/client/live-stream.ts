import { Places } from "./places.ts";
import type { StreamKind } from "./stream-kinds.ts";

/** Silence after which the service is asked for a sign of life. */
const SILENCE_MS = 30_000;
/** How long that, and signing in, may take. */
const ANSWER_MS = 10_000;
/** Waits between tries: the first, and the longest. */
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A connection that has lasted so long was a good one: the next wait is the first again. */
const STEADY_MS = 10_000;

/** Close codes after which another connection would end the same way (docs/contract/streams.md#the-end-of-a-stream). */
const FINAL_CODES: ReadonlyMap<number, StreamEnd> = new Map([
  [4401, "signed-out"],
  [1007, "misused"],
  [1008, "misused"],
  [1009, "misused"],
]);

/** Why a stream is over for good: the token is no longer valid, the client does what it may not, or it was closed here. */
export type StreamEnd = "signed-out" | "misused" | "closed";

/** Whether the stream is live at the moment. What happens while it is not comes once it is again. */
export type StreamState = "connecting" | "live" | "waiting" | "ended";

/** The part of a WebSocket that a stream uses: a browser's, or Node's own. */
export interface StreamSocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What a stream needs of its host; each is the host's own when left out. */
export interface StreamHost {
  connect?: (url: string) => StreamSocket;
  /** A number from 0 up to, not including, 1. */
  random?: () => number;
  /** Milliseconds that only grow. */
  now?: () => number;
  /** Calls `run` once after so many milliseconds, unless the function that is returned is called before. */
  after?: (delayMs: number, run: () => void) => () => void;
}

/** A stream to be opened. */
export interface LiveStreamOptions<Frame extends { type: string }> extends StreamHost {
  /** Where the service is: an origin, such as https://chat.example.com. */
  baseUrl: string;
  kind: StreamKind<Frame>;
  /** The token, or what tells it for each connection, as it may have been renewed. */
  token: string | (() => string | Promise<string>);
  /** Up to where conversations have been read already. */
  places?: Iterable<readonly [key: string, seq: number]>;
  /** Takes what happens: in each conversation in its order, and each once, whatever becomes of connections. */
  onFrame: (frame: Frame) => void;
  onState?: (state: StreamState) => void;
  /** Conversations that are not, or not any more, of whom the stream is for: they are no longer resumed. */
  onUnreachable?: (keys: string[]) => void;
  /** Called once, when no connection will be tried again. */
  onEnd?: (end: StreamEnd) => void;
}

/**
 * A live stream that survives its connections: it is opened again after a break, with waits that grow, and goes on from the
 * last place of each conversation.
 *
 * @example
 * const stream = new LiveStream({ baseUrl, kind: MEMBER_STREAM, token, places, onFrame: ({ message }) => show(message) });
 * stream.close();
 */
export class LiveStream<Frame extends { type: string }> {
  readonly #options: LiveStreamOptions<Frame>;
  readonly #host: Required<StreamHost>;
  readonly #places = new Places();
  /** Conversations in which something was missing, and has been asked for on this connection. */
  readonly #asked = new Set<string>();
  #socket: StreamSocket | null = null;
  #state: StreamState = "connecting";
  #tries = 0;
  #liveSince = 0;
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

  /** Up to where each conversation has been read. */
  get places(): ReadonlyMap<string, number> {
    return this.#places.all;
  }

  /** Brings what happened in a conversation after a place, now or once the stream is live, and goes on from there. */
  follow(key: string, seq: number): void {
    this.#places.set({ key, seq });
    this.#asked.add(key);
    this.#resume(new Map([[key, seq]]));
  }

  /** Sends a frame such as `{type: "typing"}`. @returns false when the stream is not live, and nothing was sent. */
  send(frame: { type: string }): boolean {
    if (this.#state !== "live") return false;
    this.#socket?.send(JSON.stringify(frame));
    return true;
  }

  /** Ends the stream, for good. */
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
    const socket = this.#host.connect(url.href);
    this.#socket = socket;
    this.#watch(ANSWER_MS, () => this.#lost());
    socket.onopen = () => socket.send(JSON.stringify({ type: "auth", accessToken }));
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code }) => {
      const end = FINAL_CODES.get(code);
      if (end === undefined) this.#lost();
      else this.#end(end);
    };
    // What it means is told by the close that follows.
    socket.onerror = () => {};
  }

  #take(data: unknown): void {
    const frame = readFrame(data);
    if (frame === null) return;
    if (this.#state === "live") this.#awaitSilence();
    if (frame.type === "ready") this.#begin();
    else if (frame.type === "error") this.#forget(frame);
    // What comes over the stream is what its kind says.
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

  /** What comes too early comes again, in its order, once what is missing before it has been asked for. */
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

  /**
   * After a silence the service is asked for what came last: it comes again, and is passed over. So a connection that is
   * dead is noticed, though a page sees nothing of the WebSocket's own pings.
   */
  #awaitSilence(): void {
    this.#watch(SILENCE_MS, () => {
      const newest = this.#places.newest;
      if (newest === null || newest.seq === 0) {
        this.#awaitSilence();
        return;
      }
      this.#resume(new Map([[newest.key, newest.seq - 1]]));
      this.#watch(ANSWER_MS, () => this.#lost());
    });
  }

  #lost(): void {
    if (this.#state === "ended" || this.#state === "waiting") return;
    if (this.#state === "live" && this.#host.now() - this.#liveSince >= STEADY_MS) this.#tries = 0;
    this.#drop();
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(this.#tries++, 16));
    this.#enter("waiting");
    // Many whose connections broke at once are not to come back at once.
    this.#watch(delayMs * (0.5 + this.#host.random() / 2), () => void this.#connect());
  }

  #end(end: StreamEnd): void {
    if (this.#state === "ended") return;
    this.#drop();
    this.#enter("ended");
    this.#options.onEnd?.(end);
  }

  /** Of a connection that is dead the close may take long to come; nothing of it is waited for. */
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

/** What is given of the host's, without what is left out. */
function given({ connect, random, now, after }: StreamHost): StreamHost {
  return { ...(connect && { connect }), ...(random && { random }), ...(now && { now }), ...(after && { after }) };
}

interface AnyFrame {
  type: string;
  conversationIds?: unknown;
  visitorIds?: unknown;
}

/** Null for what is no frame. */
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
