import { readSocketClientFrame } from "@portico/protocol";
import type { SocketConnection } from "../../../domain/webhooks/sockets/socket-connection.ts";
import type { Clock } from "../../../platform/clock/clock.ts";

const MINUTE_MS = 60_000;

/** Reads the frames of a connection's client, and tells it of those that are none. */
export class ClientFrames {
  readonly #connection: SocketConnection;
  readonly #parts: { clock: Clock; errorsPerMinute: number; onTooManyErrors(): void };
  /** When the last errors were answered, on the monotonic clock. */
  #errorsAt: number[] = [];

  constructor(connection: SocketConnection, parts: { clock: Clock; errorsPerMinute: number; onTooManyErrors(): void }) {
    this.#connection = connection;
    this.#parts = parts;
  }

  take(text: string): void {
    const frame = readSocketClientFrame(text);
    if (typeof frame === "string") this.#refuse(frame);
    else if (frame.type === "ack") this.#connection.ack(frame.deliveryId);
    else this.#connection.nack(frame);
  }

  #refuse(message: string): void {
    this.#connection.send({ type: "error", message });
    const { clock, errorsPerMinute, onTooManyErrors } = this.#parts;
    const now = clock.monotonic();
    this.#errorsAt = [...this.#errorsAt.filter((at) => at > now - MINUTE_MS), now];
    if (this.#errorsAt.length >= errorsPerMinute) onTooManyErrors();
  }
}
