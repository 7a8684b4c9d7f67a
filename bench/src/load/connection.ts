import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { answerLength, isSuccess } from "./answer.ts";

const RECEIVE_BUFFER_BYTES = 64 * 1_024;
const ANSWER_TIMEOUT_MS = 30_000;
const NOTHING = Buffer.alloc(0);

/** One keep-alive connection with at most one request in flight. */
export class Connection {
  readonly #socket: Socket;
  readonly #isSuccess: (answer: Buffer) => boolean;
  #rest = NOTHING;
  #pending: PromiseWithResolvers<string | null> | null = null;
  #broken: Error | null = null;

  private constructor(port: number, succeeds: (answer: Buffer) => boolean) {
    this.#isSuccess = succeeds;
    const buffer = Buffer.allocUnsafeSlow(RECEIVE_BUFFER_BYTES);
    const callback = (length: number) => {
      this.#receive(buffer.subarray(0, length));
      return true;
    };
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
    this.#socket.on("error", (error) => this.#break(error));
    this.#socket.on("close", () => this.#break(new Error("the server closed the connection")));
    this.#socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
      if (this.#pending) this.#break(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1_000} s`));
    });
  }

  /** Whether it can no longer be used. */
  get isBroken(): boolean {
    return this.#broken !== null;
  }

  /**
   * @param succeeds whether an answer says that the call succeeded.
   * @throws when nothing listens on `port` of 127.0.0.1.
   */
  static async open(port: number, succeeds = isSuccess): Promise<Connection> {
    const connection = new Connection(port, succeeds);
    await once(connection.#socket, "connect");
    return connection;
  }

  /**
   * Sends a request and waits for the answer: null when the call succeeded, else the whole answer as text.
   *
   * @throws when the connection breaks or the answer cannot be read.
   */
  exchange(request: Buffer): Promise<string | null> {
    if (this.#broken) throw this.#broken;
    if (this.#pending) throw new Error("a request is on its way already");
    this.#pending = Promise.withResolvers();
    this.#socket.write(request);
    return this.#pending.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let length: number | null;
    try {
      length = answerLength(bytes);
    } catch (error) {
      this.#break(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (length === null) {
      // The next read overwrites the buffer.
      this.#rest = Buffer.from(bytes);
      return;
    }
    this.#rest = NOTHING;
    const pending = this.#pending;
    this.#pending = null;
    if (pending === null || length < bytes.length) this.#break(new Error("an answer that nobody asked for"));
    pending?.resolve(this.#isSuccess(bytes) ? null : bytes.toString("utf8"));
  }

  #break(error: Error): void {
    this.#broken ??= error;
    this.#pending?.reject(error);
    this.#pending = null;
    this.#socket.destroy();
  }
}

/** Opens `count` connections to `port` of 127.0.0.1. */
export async function openConnections(port: number, count: number, succeeds = isSuccess): Promise<Connection[]> {
  return await Promise.all(Array.from({ length: count }, () => Connection.open(port, succeeds)));
}
