import { STREAM_CLOSES } from "@portico/protocol";
import type { Logger } from "pino";
import { writeJson } from "../../../platform/http/json-text.ts";
import type { ClientSocket } from "../../../platform/streams/client-socket.ts";

/** So much may wait to be sent in its turn; a client that is further behind begins anew. */
const MAX_WAITING = 1_000;

/** What goes over one stream one thing after another, each only once the client takes more. */
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

  /** Does `work` when it is its turn; a failure ends the stream, since what comes after builds on it. */
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

  /** Does `work` when it is its turn; fails as it does. */
  async result(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    await turn;
  }

  /** Sends a frame, once the client has taken what it was sent. To be called in turn. */
  async send(frame: object): Promise<void> {
    if (await this.#socket?.drained()) this.#socket?.send(writeJson(frame));
  }

  /** Sends what is of no use later, to a client that keeps up. */
  mention(frame: object): void {
    if (this.#socket?.takesMore) this.#socket.send(writeJson(frame));
  }
}
