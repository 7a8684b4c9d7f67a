import { once } from "node:events";
import { MEMBER_STREAM } from "@portico/protocol/client";
import { WebSocket } from "ws";
import { tokenOf } from "./crowd.ts";

/** Handshakes at a time. */
const AT_ONCE = 50;
const FRAMES_WITHIN_MS = 30_000;

/** Open member streams, which only count what they get. */
export class Audience {
  readonly #sockets: WebSocket[] = [];
  #got = 0;
  #onFrame = () => {};

  /** Opens the streams of the first `count` members of the crowd, at the process on `port` of 127.0.0.1. */
  async open(port: number, count: number): Promise<void> {
    for (let first = 0; first < count; first += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => first + index);
      await Promise.all(some.map((index) => this.#connect(port, index)));
    }
  }

  /** Resolves with the time, by `performance.now()`, at which `count` frames have come since the call; rejects after 30 s. */
  async next(count: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#got = 0;
    this.#onFrame = () => {
      if (this.#got === count) resolve(performance.now());
    };
    const timer = setTimeout(() => reject(new Error(`${this.#got} of ${count} members got it`)), FRAMES_WITHIN_MS);
    return await promise.finally(() => clearTimeout(timer));
  }

  /** The streams that are still open. */
  get size(): number {
    return this.#sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  async #connect(port: number, index: number): Promise<void> {
    const headers = { authorization: `Bearer ${tokenOf(index)}` };
    const url = `ws://127.0.0.1:${port}${MEMBER_STREAM.path}`;
    const socket = new WebSocket(url, { headers, perMessageDeflate: false, skipUTF8Validation: true });
    socket.on("message", () => {
      this.#got++;
      this.#onFrame();
    });
    await once(socket, "open");
    socket.on("error", () => {});
    this.#sockets.push(socket);
  }
}
