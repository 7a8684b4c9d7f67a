import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { type ApiResult, SUCCESS_CODE } from "@portico/protocol";

const CONNECTIONS_MAX = 32;
const ANSWER_TIMEOUT_MS = 30_000;

/** The value of a successful call. */
export interface Answered<Value> {
  value: Value;
  /** When the answer arrived, by `performance.now()`. */
  atMs: number;
}

/** Makes calls whose answers matter more than the rate. */
export class ApiCaller implements Disposable {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });

  /** @param port of 127.0.0.1, where the service listens. */
  constructor(port: number) {
    this.#port = port;
  }

  /**
   * @param body JSON; empty for none.
   * @throws when the call does not succeed; the error contains the answer.
   */
  async call<Value>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body = "",
  ): Promise<Answered<Value>> {
    const outgoing = request({
      host: "127.0.0.1",
      port: this.#port,
      method,
      path,
      headers: body === "" ? headers : { ...headers, "Content-Type": "application/json" },
      agent: this.#agent,
      timeout: ANSWER_TIMEOUT_MS,
    });
    outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1_000} s`)));
    outgoing.end(body);
    const [incoming]: IncomingMessage[] = await once(outgoing, "response");
    const atMs = performance.now();
    const answer = incoming ? await text(incoming) : "";
    const { code, value }: ApiResult<Value> = JSON.parse(answer);
    if (code !== SUCCESS_CODE || value === null) throw new Error(`${method} ${path} was answered with ${answer}`);
    return { value, atMs };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
