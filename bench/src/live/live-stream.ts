import { type Account, MemberCaller } from "../load/member-caller.ts";

/** A frame as it came. */
export interface Arrival {
  /** By `performance.now()`. */
  atMs: number;
  text: string;
}

const FRAMES_WITHIN_MS = 10_000;

/** A member's stream, which keeps what comes until it is taken. */
export class LiveStream {
  readonly #socket: WebSocket;
  #arrivals: Arrival[] = [];
  #arrived = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.#arrivals.push({ atMs: performance.now(), text: String(data) });
      this.#arrived();
    });
  }

  /** Signs a member in to the service at `port` of 127.0.0.1 and opens their stream there. */
  static async open(port: number, account: Account) {
    using member = await MemberCaller.signIn(port, account);
    const headers = { authorization: member.authorization };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/client/v1/stream`, { headers });
    const stream = new LiveStream(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", ({ message }) => reject(new Error(`the stream did not open: ${message}`)));
    });
    return stream;
  }

  /** Resolves with what has come since the last time, once that is `count` frames or more, but after 10 s at the latest. */
  async take(count: number): Promise<Arrival[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#arrived = () => {
      if (this.#arrivals.length >= count) resolve();
    };
    this.#arrived();
    const timer = setTimeout(resolve, FRAMES_WITHIN_MS);
    await promise;
    clearTimeout(timer);
    return this.#arrivals.splice(0);
  }

  close(): void {
    this.#socket.close();
  }
}
