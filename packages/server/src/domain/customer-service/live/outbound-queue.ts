import { STREAM_CLOSES } from "@portico/protocol";
import type { Logger } from "pino";
import { writeJson } from "../../../platform/http/json-text.ts";
import type { ClientSocket } from "../../../platform/streams/client-socket.ts";

/** Frames that may wait to be sent; a client that is further behind must start anew. */
const MAX_WAITING = 1_000;

/** Sends work over one stream sequentially, each item only when the client can take more (back-pressure). */
export class OutboundQueue {
  readonly #log: Logger;
  #socket: ClientSocket | null = null;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  attach(socket: ClientSocket): void {
    this.#socket = socket;
  }

  close(): void {
    this.#closed = true;
  }

  /** Queues `work`. A failure ends the stream, because later items build on this one. */
  run(work: () => Promise<void>): void {
    if (this.#closed) return;
    if (this.#waiting >= MAX_WAITING) {
      this.#closed = true;
      this.#socket?.close(STREAM_CLOSES.TOO_SLOW);
      return;
    }
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      this.#waiting--;
      if (this.#closed) return;
      await work().catch((error: unknown) => {
        this.#log.warn({ err: error }, "a stream could not be kept up to date");
        this.#socket?.close(STREAM_CLOSES.FAILED);
      });
    });
  }

  /** Queues `work`, and rejects if it fails. */
  async result(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    await turn;
  }

  /** Sends a frame once the client has taken the previous ones. Call it only from queued work. */
  async send(frame: object): Promise<void> {
    if (await this.#socket?.drained()) this.#socket?.send(writeJson(frame));
  }

  /** Sends a frame that is useless later; dropped when the client is behind. */
  mention(frame: object): void {
    if (this.#socket?.takesMore) this.#socket.send(writeJson(frame));
  }
}
