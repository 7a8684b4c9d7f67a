import type { Readable, Writable } from "node:stream";
import { FailureError } from "../command.ts";
import { memberOf, numberOf, textOf } from "../json.ts";

/** Of a message of the browser: far more than the largest picture. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/** A command that waits for its answer. */
interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * The DevTools protocol of a browser over its pipes, where each message is JSON that ends with a zero byte. Other than a
 * port, nobody else on the machine can write to pipes, and the browser ends when they do.
 */
export class DevTools {
  readonly #toBrowser: Writable;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #ended: Error | undefined;

  constructor(toBrowser: Writable, fromBrowser: Readable) {
    this.#toBrowser = toBrowser;
    toBrowser.on("error", () => {});
    fromBrowser.on("error", () => {});
    fromBrowser.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  /**
   * Gives the browser a command, or the page with this session.
   *
   * @throws FailureError when it refuses, or has ended.
   */
  async send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    if (this.#ended !== undefined) throw this.#ended;
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.#toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return await answer;
  }

  /** No answer comes any more. */
  end(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      this.#read(Buffer.concat([...this.#chunks, rest.subarray(0, end)]).toString());
      [this.#chunks, this.#bytes] = [[], 0];
      rest = rest.subarray(end + 1);
    }
    this.#bytes += rest.length;
    this.#chunks.push(rest);
    if (this.#bytes <= MAX_MESSAGE_BYTES) return;
    [this.#chunks, this.#bytes] = [[], 0];
    this.end(new FailureError("the browser answers with more than a picture can be"));
  }

  #read(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.end(new FailureError("the browser does not speak the DevTools protocol"));
      return;
    }
    // Without an id it is an event.
    const id = numberOf(message, "id");
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    const refusal = memberOf(message, "error");
    if (refusal === undefined) waiting.resolve(memberOf(message, "result"));
    else waiting.reject(new FailureError(`the browser refuses: ${textOf(refusal, "message")}`));
  }
}
