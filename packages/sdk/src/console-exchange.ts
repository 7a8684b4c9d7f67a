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

/** How a call of the console API is made. */
export interface ConsoleExchangeOptions {
  /** Where the service is. */
  baseUrl: string;
  /** Of a login or its renewal; left out for calls that need no sign-in. */
  accessToken?: string | undefined;
  /** The tenant that the call is about, where it must or may name one. */
  tenantId?: string | undefined;
  /** What a login is renewed and ended by, on hosts that keep no cookies, such as Node; browsers send their own. */
  refreshToken?: string | undefined;
  /** Milliseconds from the first byte sent to the last byte read; 30 seconds when left out. */
  timeoutMs?: number | undefined;
  /** The host's own when left out. */
  fetch?: typeof globalThis.fetch;
}

/** What the console API answered to a call that it carried out. */
export interface ConsoleAnswer<E extends ConsoleEndpoint> {
  value: EndpointValue<E>;
  /** The same as it came; empty where there is none. */
  text: string;
  /** What a login goes by from now on, good for one renewal, if the answer gave it and the host shows it. */
  refreshToken: string | undefined;
}

/** What a caller gives, whatever the endpoint. */
interface AnyInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/**
 * Carries out one call of the console API. It is the only place that reads the console's answers: what it returns has the
 * members that the endpoint promises.
 *
 * @throws ConsoleRefusedError when the service refuses; TransportError when no answer of the console's arrives in time, or
 * a success without the promised value.
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

/** Browsers show no page what cookies an answer sets; then there is none. */
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
