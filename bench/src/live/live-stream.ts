import { MEMBER_STREAM } from "@portico/protocol/client";
import { type Account, signInMember } from "../load/sign-in.ts";

/** A received frame. */
export interface Arrival {
  /** When it arrived, by `performance.now()`. */
  atMs: number;
  text: string;
}

const FRAMES_WITHIN_MS = 10_000;

/** A member's stream; keeps frames until they are taken. */
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

  /** Signs a member in to the service on `port` of 127.0.0.1 and opens the member's stream. */
  static async open(port: number, account: Account) {
    const headers = { authorization: `Bearer ${await signInMember(port, account)}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}${MEMBER_STREAM.path}`, { headers });
    const stream = new LiveStream(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", ({ message }) => reject(new Error(`the stream did not open: ${message}`)));
    });
    return stream;
  }

  /** Resolves with the frames since the last call, once there are at least `count`, or after 10 s. */
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
