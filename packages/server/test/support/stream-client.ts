import type { Change } from "@portico/protocol";
import { WebSocket } from "ws";

/** A change received over a stream. */
export type ChangeFrame = Change & { conversationId: string };

/** A frame of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape.
type AnyFrame = any;

const WAIT_MS = 10_000;

/** A stream under test: keeps all frames, and waits for further ones. */
export class StreamClient {
  readonly frames: AnyFrame[] = [];
  /** Arrival time of each frame, by `performance.now()`. */
  readonly cameAt: number[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  #arrived = () => {};

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      this.cameAt.push(performance.now());
      this.frames.push(JSON.parse(String(data)));
      this.#arrived();
    });
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => {
        this.#arrived();
        resolve({ code, reason: String(reason) });
      });
    });
  }

  /** Opens a stream with the token in the header; without a token, the first frame must sign in. */
  static open(
    url: string,
    accessToken: string | null,
    path = "/api/client/v1/stream",
    other: Record<string, string> = {},
  ): Promise<StreamClient> {
    const headers = accessToken === null ? other : { ...other, authorization: `Bearer ${accessToken}` };
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, { headers });
      const client = new StreamClient(socket);
      socket.on("open", () => resolve(client));
      socket.on("error", reject);
    });
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** Resolves with all frames once there are `count`; rejects when they do not arrive. */
  async take(count: number): Promise<AnyFrame[]> {
    await this.#until(() => this.frames.length >= count, `${count} frames`);
    return this.frames;
  }

  /** Resolves with the first frame for which `isIt` holds. */
  async find(isIt: (frame: AnyFrame) => boolean): Promise<AnyFrame> {
    await this.#until(() => this.frames.some(isIt), "the frame");
    return this.frames.find(isIt);
  }

  close(): Promise<unknown> {
    this.socket.close();
    return this.closed;
  }

  async #until(isSo: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    while (!isSo()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#arrived = resolve;
      const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()));
      await promise;
      clearTimeout(timer);
      if (!isSo() && (performance.now() >= deadline || this.socket.readyState === WebSocket.CLOSED)) {
        throw new Error(`${what} did not come; there are ${JSON.stringify(this.frames).slice(0, 2_000)}`);
      }
    }
  }
}
