import { englishOf } from "@portico/protocol";
import {
  type ConsoleEndpoint,
  type EndpointInput,
  type EndpointValue,
  hasShape,
  NO_CONTENT,
  pathOf,
} from "@portico/protocol/endpoints";
import { exchange, notWhat } from "./exchange.ts";

/** Long, because the service calls the receiver while it verifies a subscription. */
const TIMEOUT_MS = 30_000;

/** The cookie with the refresh token (docs/contract/console.md#signing-in). */
const REFRESH_COOKIE = "open_refresh_token";

/** The content of a refusal; for an unknown route there is no message and no errorCode. */
interface ConsoleRefusal {
  status: number;
  error: string;
  message?: string;
  errorCode?: string;
}

/** The console API refused a call (docs/contract/console.md#refusals). `message` is the service's text, in Chinese. */
export class ConsoleRefusedError extends Error {
  override readonly name = "ConsoleRefusedError";
  readonly status: number;
  /** The reason phrase of the status. */
  readonly error: string;
  /** The code in the error tables; a newer service may have more codes. */
  readonly errorCode: string | undefined;
  /** An English translation of the message; undefined when there is none. */
  readonly english: string | undefined;
  /** Seconds after which a retry can succeed, if the service named them. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the route does not exist: the console's own refusals have a message. */
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

/** Options of a call of the console API. */
export interface ConsoleExchangeOptions {
  /** The address of the service. */
  baseUrl: string;
  /** The token of a login; absent for calls without sign-in. */
  accessToken?: string | undefined;
  /** The tenant of the call, where one is required or allowed. */
  tenantId?: string | undefined;
  /** Refreshes or ends a login, on hosts that store no cookies, such as Node; browsers send their own cookie. */
  refreshToken?: string | undefined;
  /** Timeout from the first byte sent to the last byte read, in milliseconds. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Default: the global fetch. */
  fetch?: typeof globalThis.fetch;
}

/** The answer of the console API to a successful call. */
export interface ConsoleAnswer<E extends ConsoleEndpoint> {
  value: EndpointValue<E>;
  /** The original text; empty when there is no body. */
  text: string;
  /** The new refresh token, which can be used once, if the answer contains one and the host can read it. */
  refreshToken: string | undefined;
}

/** The input of a call of any endpoint. */
interface AnyInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/**
 * Makes one call of the console API. The only place that parses the console's answers: the result has the fields that
 * the endpoint promises.
 *
 * @throws ConsoleRefusedError when the service refuses; TransportError when no answer of the console arrives in time,
 * or a success lacks the promised value.
 */
export async function consoleExchange<E extends ConsoleEndpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: ConsoleExchangeOptions,
): Promise<ConsoleAnswer<E>> {
  const { params, query, body } = input as AnyInput;
  const url = new URL(pathOf(endpoint, params), options.baseUrl);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const { fetch: send = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options;
  let refreshToken: string | undefined;
  const request = {
    method: endpoint.method,
    url,
    headers: headersOf(options, body !== undefined),
    ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  };
  const { content, retryAfterSeconds } = await exchange(
    request,
    {
      timeoutMs,
      async fetch(...args) {
        const response = await send(...args);
        refreshToken = refreshTokenIn(response.headers);
        return response;
      },
    },
    (text, httpStatus) => readAnswer(endpoint, text, httpStatus),
  );
  if ("refusal" in content) throw new ConsoleRefusedError(content.refusal, retryAfterSeconds);
  return { ...content, refreshToken };
}

function headersOf({ accessToken, tenantId, refreshToken }: ConsoleExchangeOptions, hasBody: boolean) {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (accessToken !== undefined) headers.Authorization = `Bearer ${accessToken}`;
  if (tenantId !== undefined) headers["X-Open-Tenant-Id"] = tenantId;
  if (refreshToken !== undefined) headers.Cookie = `${REFRESH_COOKIE}=${refreshToken}`;
  if (hasBody) headers["Content-Type"] = "application/json";
  return headers;
}

/** Browsers do not show pages the cookies of an answer; then there is none. */
function refreshTokenIn(headers: Headers): string | undefined {
  const cookie = headers.getSetCookie().find((each) => each.startsWith(`${REFRESH_COOKIE}=`));
  return cookie?.slice(REFRESH_COOKIE.length + 1).split(";", 1)[0];
}

type Content<E extends ConsoleEndpoint> = { value: EndpointValue<E>; text: string } | { refusal: ConsoleRefusal };

function readAnswer<E extends ConsoleEndpoint>(endpoint: E, text: string, httpStatus: number): Content<E> {
  const value = endpoint.value === NO_CONTENT && text === "" ? null : parse(text);
  if (httpStatus >= 200 && httpStatus < 300 && value !== undefined) {
    if (!hasShape(endpoint.value, value)) throw new Error("a success whose value is not what the call promises");
    return { value: value as EndpointValue<E>, text };
  }
  if (isRefusal(value) && value.status === httpStatus) return { refusal: value };
  throw notWhat("the console's", text, httpStatus);
}

/** Undefined for text that is not JSON. */
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
