import { englishOf } from "../errors/index.ts";
import type { Exchange } from "./api-client.ts";
import { exchange, notWhat } from "./exchange.ts";

/** The service calls the receiver while it verifies a subscription. */
const TIMEOUT_MS = 30_000;

/** Names the cookie that a login goes by (docs/contract/console.md#signing-in). */
const REFRESH_COOKIE = "open_refresh_token";

/** What a refusal says; one of where no route is has no message and no errorCode. */
interface ConsoleRefusal {
  status: number;
  error: string;
  message?: string;
  errorCode?: string;
}

/** The console API refused a call (docs/contract/console.md#refusals). `message` is the service's own text, in Chinese. */
export class ConsoleRefusedError extends Error {
  override readonly name = "ConsoleRefusedError";
  readonly status: number;
  /** The reason phrase of the status. */
  readonly error: string;
  /** What failed, by its name in the tables of errors, of which a newer service may have more. */
  readonly errorCode: string | undefined;
  /** What the message says, in English; undefined where that is not known. */
  readonly english: string | undefined;
  /** Seconds after which a repeat can succeed, when the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether it is the answer of where no route is: the console's own refusals have a message. */
  readonly isNoRoute: boolean;

  constructor({ status, error, message, errorCode }: ConsoleRefusal, retryAfterSeconds: number | undefined) {
    super(message ?? "");
    this.status = status;
    this.error = error;
    this.errorCode = errorCode;
    this.english = message === undefined ? undefined : englishOf({ message, errorCode });
    this.retryAfterSeconds = retryAfterSeconds;
    this.isNoRoute = status === 404 && message === undefined;
  }
}

/** How calls of the console API are made. */
export interface ConsoleExchangeOptions {
  /** Where the service is: an origin, such as https://console.example.com. */
  baseUrl: string;
  /** The token of a login, or what tells it at each call, as it may be renewed; undefined for calls that need none. */
  accessToken?: string | undefined | (() => string | undefined);
  /** What a login is renewed and ended by, on hosts that keep no cookies, such as Node; browsers send their own. */
  refreshToken?: string | undefined;
  /** What carries requests; the host's own when left out. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for a call, from the first byte sent to the last byte read. Default 30,000. */
  timeoutMs?: number;
  /** Told of each success, for what a client's value does not say. */
  onAnswer?(answer: ConsoleAnswer): void;
}

/** A success of the console API. */
export interface ConsoleAnswer {
  value: unknown;
  /** The same as it came; empty where there is none. */
  text: string;
  /** What a login goes by from now on, good for one renewal, if the answer gave it and the host shows it. */
  refreshToken: string | undefined;
}

/** What may be said of a single call. */
export interface ConsoleCallOptions {
  /** The tenant that the call is about, where it must or may name one. */
  tenantId?: string | undefined;
  /** Ends the call, which then fails with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Carries out calls of the console API, its operators' part included, each once: no repeat, no redirect. A refusal is a
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

/** Browsers show no page what cookies an answer sets; then there is none. */
function refreshTokenIn(headers: Headers): string | undefined {
  const cookie = headers.getSetCookie().find((each) => each.startsWith(`${REFRESH_COOKIE}=`));
  return cookie?.slice(REFRESH_COOKIE.length + 1).split(";", 1)[0];
}

/** Of a success: what it says, null where it has no body. */
function readAnswer(text: string, httpStatus: number): { value: unknown; text: string } | { refusal: ConsoleRefusal } {
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  const value = isSuccess && text === "" ? null : parse(text);
  if (isSuccess && value !== undefined) return { value, text };
  if (isRefusal(value) && value.status === httpStatus) return { refusal: value };
  throw notWhat("the console's", text, httpStatus);
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRefusal(value: unknown): value is ConsoleRefusal {
  if (typeof value !== "object" || value === null) return false;
  const { status, error, message, errorCode }: Partial<Record<keyof ConsoleRefusal, unknown>> = value;
  const areTexts = [message, errorCode].every((each) => each === undefined || typeof each === "string");
  return typeof status === "number" && typeof error === "string" && areTexts;
}
