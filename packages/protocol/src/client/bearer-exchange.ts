import { SUCCESS_CODE } from "../errors/index.ts";
import type { CallBody, Exchange } from "./api-client.ts";
import { ApiRefusedError } from "./errors.ts";
import { exchange, readEnvelope } from "./exchange.ts";

/** How calls with a Bearer token are made: those of members, agents and visitors. */
export interface BearerExchangeOptions {
  /** Where the service is: an origin, such as https://chat.example.com. */
  baseUrl: string;
  /** The token, or what tells it at each call, as it may be renewed; undefined for a call that needs none. */
  token?: string | undefined | (() => string | undefined);
  /** What carries requests; the host's own when left out. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for a call, from the first byte sent to the last byte read. Default 10,000. */
  timeoutMs?: number;
  /** The same for an upload. Default 120,000. */
  uploadTimeoutMs?: number;
}

/** What may be said of a single call. */
export interface BearerCallOptions {
  /** Ends the call, which then fails with the signal's reason. */
  signal?: AbortSignal;
}

/** Carries out calls with a Bearer token, each once: no repeat, no redirect. */
export function bearerExchange(options: BearerExchangeOptions): Exchange<BearerCallOptions> {
  const { baseUrl, token, timeoutMs = 10_000, uploadTimeoutMs = 120_000 } = options;
  return async ({ endpoint, target, body }, { signal } = {}) => {
    const accessToken = typeof token === "function" ? token() : token;
    const headers: Record<string, string> = { Accept: "application/json" };
    if (accessToken !== undefined) headers.Authorization = `Bearer ${accessToken}`;
    // A form says its own type, with its boundary.
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
