import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { type ApiResult, ERRORS, SUCCESS_CODE } from "@portico/protocol";
import { signRequest } from "@portico/protocol/signature";
import { ApiRefusedError, TransportError } from "./errors.ts";
import { type Answer, type ExchangeOptions, exchange, readEnvelope } from "./exchange.ts";
import type { RequestBody } from "./request-body.ts";
import { type RetryPolicy, retryDelayMs } from "./retry.ts";

/** Everything a {@link Caller} needs, checked. */
export interface CallerOptions extends RetryPolicy, ExchangeOptions {
  /** Origin of the open API, without a trailing slash. */
  origin: string;
  appId: string;
  credentialId: string;
  appSecret: string;
  /** Milliseconds for one try of an upload. */
  uploadTimeoutMs: number;
  clock: () => number;
  sleep: (delayMs: number) => Promise<unknown>;
}

/** One call of the open API. */
export interface Call<Value> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path, already percent-encoded where needed. */
  path: string;
  /** Query parameters; those that are undefined are left out. */
  query?: Record<string, string | undefined>;
  /** Every try sends the same bytes. */
  body?: RequestBody;
  /** Whether it may take the time of an upload. */
  isUpload?: true;
  /** Whether doing it twice is as good as doing it once. A call that is not is retried only when nothing was done. */
  harmlessToRepeat: boolean;
  /** Whether the value of a success has the shape that the caller is promised. */
  isValue: (value: unknown) => value is Value;
}

/** Signs calls, carries them out, and repeats those that were refused for the moment only. */
export class Caller {
  readonly #options: Omit<CallerOptions, "appSecret">;
  readonly #appSecret: KeyObject;

  constructor({ appSecret, ...options }: CallerOptions) {
    this.#options = options;
    this.#appSecret = createSecretKey(appSecret, "utf8");
  }

  /**
   * The value of a successful call.
   *
   * @throws ApiRefusedError when the service refuses, and goes on refusing where a retry is due.
   * @throws TransportError when a try gets no verdict, or a success has not the promised value.
   */
  async call<Value>(call: Call<Value>): Promise<Value> {
    const url = new URL(call.path + queryString(call.query), this.#options.origin);
    for (let retry = 0; ; retry++) {
      const answer = await this.#try(call, url);
      const { httpStatus, content, retryAfterSeconds } = answer;
      if (content.code === SUCCESS_CODE) return promisedValue(call, url, answer);
      const refusal = new ApiRefusedError({ ...content, httpStatus, retryAfterSeconds });
      const mayRepeat = call.harmlessToRepeat || refusal.code === ERRORS.QUOTA_EXCEEDED.code;
      const delayMs = mayRepeat ? retryDelayMs(refusal, retry, this.#options) : null;
      if (delayMs === null) throw refusal;
      await this.#options.sleep(delayMs);
    }
  }

  /** One try, with a timestamp, a nonce and a signature of its own: a nonce that was seen is used up. */
  #try({ method, body, isUpload }: Call<unknown>, url: URL): Promise<Answer<ApiResult>> {
    const { appId, credentialId, clock, fetch, timeoutMs, uploadTimeoutMs } = this.#options;
    const signed = signRequest({
      method,
      path: url.pathname,
      rawQuery: url.search.slice(1),
      appId,
      credentialId,
      appSecret: this.#appSecret,
      timestamp: clock(),
      nonce: randomUUID(),
      body: body?.bytes ?? "",
    });
    const contentType = body?.contentType ?? "application/json";
    const headers = { ...signed.headers, "Content-Type": contentType, Accept: "application/json" };
    return exchange(
      { method, url, headers, body: body?.bytes },
      { fetch, timeoutMs: isUpload ? uploadTimeoutMs : timeoutMs },
      readEnvelope,
    );
  }
}

function queryString(query: Call<unknown>["query"] = {}): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function promisedValue<Value>(call: Call<Value>, url: URL, { httpStatus, content }: Answer<ApiResult>): Value {
  const { value, reqNo } = content;
  if (call.isValue(value)) return value;
  const label = `${call.method} ${url.origin}${url.pathname}`;
  const message = `${label}: a success whose value is not what the call promises (reqNo ${reqNo})`;
  throw new TransportError(message, { cause: undefined, httpStatus });
}
