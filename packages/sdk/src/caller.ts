import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import type { ApiResult } from "@portico/protocol";
import {
  type Answer,
  ApiRefusedError,
  type EndpointCall,
  type ExchangeOptions,
  exchange,
  readEnvelope,
  type Success,
} from "@portico/protocol/client";
import type { Endpoint } from "@portico/protocol/endpoints";
import { ERRORS, SUCCESS_CODE } from "@portico/protocol/errors";
import { signRequest } from "@portico/protocol/signature";
import type { RequestBody } from "./request-body.ts";
import { type RetryPolicy, retryDelayMs } from "./retry.ts";

/** The validated options of a {@link Caller}. */
export interface CallerOptions extends RetryPolicy, ExchangeOptions {
  /** Origin of the open API, without a trailing slash. */
  origin: string;
  appId: string;
  credentialId: string;
  appSecret: string;
  /** Timeout of one try of an upload, in milliseconds. */
  uploadTimeoutMs: number;
  clock: () => number;
  sleep: (delayMs: number) => Promise<unknown>;
}

/** Options of a call. */
export interface CallOptions {
  /**
   * Whether the call may be repeated when it is unknown whether it took effect; the default is true. Otherwise it is
   * retried only when the service certainly did nothing.
   */
  harmlessToRepeat?: boolean;
}

/** One call; every try sends the same. */
interface SignedCall {
  endpoint: Endpoint;
  url: URL;
  body: RequestBody | null;
}

/** Signs and sends calls, and retries those that failed temporarily. */
export class Caller {
  readonly #options: Omit<CallerOptions, "appSecret">;
  readonly #appSecret: KeyObject;

  constructor({ appSecret, ...options }: CallerOptions) {
    this.#options = options;
    this.#appSecret = createSecretKey(appSecret, "utf8");
  }

  /**
   * Makes a call with a JSON body or none, and returns its value.
   *
   * @throws ApiRefusedError when the service refuses, and still refuses after the retries.
   * @throws TransportError when a try gets no valid answer, or the value has not the promised shape.
   */
  async call({ endpoint, target, body }: EndpointCall, options: CallOptions = {}): Promise<Success> {
    if (body !== null && !("json" in body)) throw new TypeError("a file is sent by upload");
    const bytes = body === null ? null : new TextEncoder().encode(body.json);
    return await this.#carryOut(endpoint, target, bytes && { contentType: "application/json", bytes }, options);
  }

  /** Makes a call with a file. Throws the same errors as {@link call}. */
  async upload(endpoint: Endpoint, form: RequestBody): Promise<Success> {
    // Repeating is harmless: the service deletes files that nobody sends.
    return await this.#carryOut(endpoint, endpoint.path, form, {});
  }

  async #carryOut(
    endpoint: Endpoint,
    target: string,
    body: RequestBody | null,
    { harmlessToRepeat = true }: CallOptions,
  ): Promise<Success> {
    const call = { endpoint, url: new URL(target, this.#options.origin), body };
    for (let retry = 0; ; retry++) {
      const { httpStatus, content, retryAfterSeconds } = await this.#try(call);
      const { code, value, reqNo } = content;
      if (code === SUCCESS_CODE) return { value, reqNo, httpStatus };
      const refusal = new ApiRefusedError({ ...content, httpStatus, retryAfterSeconds });
      const mayRepeat = harmlessToRepeat || code === ERRORS.QUOTA_EXCEEDED.code;
      const delayMs = mayRepeat ? retryDelayMs(refusal, retry, this.#options) : null;
      if (delayMs === null) throw refusal;
      await this.#options.sleep(delayMs);
    }
  }

  /** One try, with its own timestamp, nonce and signature: a nonce is accepted only once. */
  #try({ endpoint, url, body }: SignedCall): Promise<Answer<ApiResult>> {
    const { method, takesFile } = endpoint;
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
    const request = { method, url, headers, ...(body && { body: body.bytes }) };
    return exchange(request, { fetch, timeoutMs: takesFile ? uploadTimeoutMs : timeoutMs }, readEnvelope);
  }
}
