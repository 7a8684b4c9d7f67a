import { SUCCESS_CODE } from "../errors/index.ts";
import type { CallBody, Exchange } from "./api-client.ts";
import { ApiRefusedError } from "./errors.ts";
import { exchange, readEnvelope } from "./exchange.ts";

/** Settings for calls with a Bearer token: those of members, agents and visitors. */
export interface BearerExchangeOptions {
  /** The service's origin, such as https://chat.example.com. */
  baseUrl: string;
  /** The token, or a function that returns the current one; undefined for public calls. */
  token?: string | undefined | (() => string | undefined);
  /** Replaces the global fetch. */
  fetch?: typeof globalThis.fetch;
  /** Time limit in milliseconds, from the first byte sent to the last byte read. Default 10,000. */
  timeoutMs?: number;
  /** Time limit for an upload. Default 120,000. */
  uploadTimeoutMs?: number;
}

/** Options of a single call. */
export interface BearerCallOptions {
  /** Cancels the call, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Sends calls with a Bearer token, without retries or redirects. */
export function bearerExchange(options: BearerExchangeOptions): Exchange<BearerCallOptions> {
  const { baseUrl, token, timeoutMs = 10_000, uploadTimeoutMs = 120_000 } = options;
  return async ({ endpoint, target, body }, { signal } = {}) => {
    const accessToken = typeof token === "function" ? token() : token;
    const headers: Record<string, string> = { Accept: "application/json" };
    if (accessToken !== undefined) headers.Authorization = `Bearer ${accessToken}`;
    // fetch sets the type of a form, which includes its boundary.
    if (body !== null && "json" in body) headers["Content-Type"] = "application/json";
    const request = { method: endpoint.method, url: new URL(target, baseUrl), headers, body: contentOf(body) };
    const { content, httpStatus, retryAfterSeconds } = await exchange(
      request,
      {
        fetch: options.fetch ?? globalThis.fetch,
        timeoutMs: endpoint.takesFile ? uploadTimeoutMs : timeoutMs,
        signal,
      },
      readEnvelope,
    );
    const { code, value, reqNo } = content;
    if (code !== SUCCESS_CODE) throw new ApiRefusedError({ ...content, httpStatus, retryAfterSeconds });
    return { value, reqNo, httpStatus };
  };
}

function contentOf(body: CallBody): string | FormData | undefined {
  if (body === null) return undefined;
  if ("json" in body) return body.json;
  const form = new FormData();
  form.set("file", body.file, body.fileName);
  return form;
}
