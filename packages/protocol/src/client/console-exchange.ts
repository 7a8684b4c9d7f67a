import { englishOf } from "../errors/index.ts";
import type { Exchange } from "./api-client.ts";
import { exchange, notWhat } from "./exchange.ts";

/** Long, because the service calls the receiver while it verifies a subscription. */
const TIMEOUT_MS = 30_000;

/** Name of the cookie with the refresh token (docs/contract/console.md#signing-in). */
const REFRESH_COOKIE = "open_refresh_token";

/** The body of a refusal. Without a matching route, it has no message and no errorCode. */
interface ConsoleRefusal {
  status: number;
  error: string;
  message?: string;
  errorCode?: string;
  path?: string;
  timestamp?: string;
}

/** The console API refused a call (docs/contract/console.md#refusals). `message` is the service's own text, in Chinese. */
export class ConsoleRefusedError extends Error {
  override readonly name = "ConsoleRefusedError";
  readonly status: number;
  /** The reason phrase of the status. */
  readonly error: string;
  /** The name of the error in the error tables; a newer service may have additional ones. */
  readonly errorCode: string | undefined;
  /** The message in English; undefined for an unknown error. */
  readonly english: string | undefined;
  /** Seconds after which a retry can succeed, if the service named them. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether no route matched: the console's own refusals have a message. */
  readonly isNoRoute: boolean;
  /** The path that was called, without its query, and the service's time (ISO 8601): they name the call in its log. */
  readonly path: string | undefined;
  readonly timestamp: string | undefined;

  constructor(refusal: ConsoleRefusal, retryAfterSeconds: number | undefined) {
    const { status, error, message, errorCode, path, timestamp } = refusal;
    super(message ?? "");
    this.status = status;
    this.error = error;
    this.errorCode = errorCode;
    this.english = message === undefined ? undefined : englishOf({ message, errorCode });
    this.retryAfterSeconds = retryAfterSeconds;
    this.isNoRoute = status === 404 && message === undefined;
    this.path = path;
    this.timestamp = timestamp;
  }
}

/** Settings for calls of the console API. */
export interface ConsoleExchangeOptions {
  /** The service's origin, such as https://console.example.com. */
  baseUrl: string;
  /** The access token, or a function that returns the current one; undefined for public calls. */
  accessToken?: string | undefined | (() => string | undefined);
  /**
   * The refresh token, which renews and ends a login, for hosts without cookies, such as Node. Browsers send their
   * cookie.
   */
  refreshToken?: string | undefined;
  /** Replaces the global fetch. */
  fetch?: typeof globalThis.fetch;
  /** Time limit in milliseconds, from the first byte sent to the last byte read. Default 30,000. */
  timeoutMs?: number;
  /** Called for each success, with the parts that the client's value does not include. */
  onAnswer?(answer: ConsoleAnswer): void;
}

/** A successful answer of the console API. */
export interface ConsoleAnswer {
  value: unknown;
  /** The raw body; empty when there is none. */
  text: string;
  /** The new refresh token, valid for one renewal, if the answer set one and the host can read it. */
  refreshToken: string | undefined;
}

/** Options of a single call. */
export interface ConsoleCallOptions {
  /** The tenant of the call, for endpoints that need or accept one. */
  tenantId?: string | undefined;
  /** Cancels the call, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Sends calls of the console API, including operators' calls, without retries or redirects. A refusal rejects with a
 * {@link ConsoleRefusedError}.
 */
export function consoleExchange(options: ConsoleExchangeOptions): Exchange<ConsoleCallOptions> {
  const { baseUrl, accessToken, timeoutMs = TIMEOUT_MS } = options;
  return async ({ endpoint, target, body }, { tenantId, signal } = {}) => {
    const send = options.fetch ?? globalThis.fetch;
    const json = body !== null && "json" in body ? body.json : undefined;
    const headers: Record<string, string> = { Accept: "application/json" };
    const token = typeof accessToken === "function" ? accessToken() : accessToken;
    if (token !== undefined) headers.Authorization = `Bearer ${token}`;
    if (tenantId !== undefined) headers["X-Open-Tenant-Id"] = tenantId;
    if (options.refreshToken !== undefined) headers.Cookie = `${REFRESH_COOKIE}=${options.refreshToken}`;
    if (json !== undefined) headers["Content-Type"] = "application/json";
    let refreshToken: string | undefined;
    const fetch: typeof globalThis.fetch = async (...args) => {
      const response = await send(...args);
      refreshToken = refreshTokenIn(response.headers);
      return response;
    };
    const request = {
      method: endpoint.method,
      url: new URL(target, baseUrl),
      headers,
      ...(json !== undefined && { body: json }),
    };
    const { content, httpStatus, retryAfterSeconds } = await exchange(
      request,
      { fetch, timeoutMs, signal },
      readAnswer,
    );
    if ("refusal" in content) throw new ConsoleRefusedError(content.refusal, retryAfterSeconds);
    options.onAnswer?.({ ...content, refreshToken });
    return { value: content.value, reqNo: null, httpStatus };
  };
}

/** Undefined in browsers, which hide the cookies of answers from pages. */
function refreshTokenIn(headers: Headers): string | undefined {
  const cookie = headers.getSetCookie().find((each) => each.startsWith(`${REFRESH_COOKIE}=`));
  return cookie?.slice(REFRESH_COOKIE.length + 1).split(";", 1)[0];
}

/** The value of a success; null for an empty body. */
function readAnswer(text: string, httpStatus: number): { value: unknown; text: string } | { refusal: ConsoleRefusal } {
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  const value = isSuccess && text === "" ? null : parse(text);
  if (isSuccess && value !== undefined) return { value, text };
  if (isRefusal(value) && value.status === httpStatus) return { refusal: value };
  throw notWhat("the console's", text, httpStatus);
}

/** Undefined when the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRefusal(value: unknown): value is ConsoleRefusal {
  if (typeof value !== "object" || value === null) return false;
  const { status, error, ...texts }: Partial<Record<keyof ConsoleRefusal, unknown>> = value;
  const { message, errorCode, path, timestamp } = texts;
  const areTexts = [message, errorCode, path, timestamp].every(
    (each) => each === undefined || typeof each === "string",
  );
  return typeof status === "number" && typeof error === "string" && areTexts;
}
