import type { ConsoleErrorBody } from "@portico/protocol";
import { TransportError } from "@portico/sdk";
import { exchange, notWhat } from "@portico/sdk/exchange";
import { numberOf, textOf } from "./json.ts";

const BASE = "/api/open/console/v1";
/** Long, because the service calls the receiver while it verifies a subscription. */
const TIMEOUT_MS = 30_000;

/** The content of a refusal; for an unknown route there is no message. */
type ConsoleRefusal = Pick<ConsoleErrorBody, "status" | "error"> & {
  message: string | undefined;
  /** From the error tables; the service may know more codes than this program. */
  errorCode: string | undefined;
};

/** The console API refused a call (docs/contract/console.md#refusals). */
export class ConsoleRefusedError extends Error {
  override readonly name = "ConsoleRefusedError";
  readonly status: number;
  /** The reason phrase of the status. */
  readonly error: string;
  /** The code of the error, if the answer has one. */
  readonly errorCode: string | undefined;
  /** Seconds after which a retry can succeed, if the service named them. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether the route does not exist: the console's own refusals have a message. */
  readonly isNoRoute: boolean;

  constructor(refusal: ConsoleRefusal, retryAfterSeconds: number | undefined) {
    super(refusal.message ?? "");
    this.isNoRoute = refusal.status === 404 && refusal.message === undefined;
    this.status = refusal.status;
    this.error = refusal.error;
    this.errorCode = refusal.errorCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The answer of the console API to a successful call. */
export interface ConsoleAnswer {
  value: unknown;
  /** The original text, for printing. */
  text: string;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A parsed answer of the console API; `refusal` is null for a success. */
interface Content extends ConsoleAnswer {
  refusal: ConsoleRefusal | null;
}

/** The URL of a call; the segments below the base path are not percent-encoded. */
export function consoleUrl(baseUrl: string, path: readonly string[]): URL {
  return new URL(`${BASE}/${path.map(encodeURIComponent).join("/")}`, baseUrl);
}

/** Throws for a success without the promised value. */
export function unpromised(what: string): never {
  const message = `the service answered ${what} with a value that is not what the call promises`;
  throw new TransportError(message, { cause: undefined, httpStatus: 200 });
}

interface Sending {
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/**
 * Makes one call. The cookies of the answer are returned as `name=value`.
 *
 * @throws ConsoleRefusedError or TransportError
 */
export async function sendToConsole(
  method: Method,
  url: URL,
  { body, headers: own, timeoutMs = TIMEOUT_MS }: Sending,
): Promise<ConsoleAnswer & { cookies: string[] }> {
  const headers: Record<string, string> = { Accept: "application/json", ...own };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
  let cookies: string[] = [];
  const options = {
    timeoutMs,
    async fetch(...request: Parameters<typeof fetch>) {
      const response = await fetch(...request);
      cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
      return response;
    },
  };
  const { content, retryAfterSeconds } = await exchange({ method, url, headers, body: bytes }, options, readAnswer);
  const { value, text, refusal } = content;
  if (refusal !== null) throw new ConsoleRefusedError(refusal, retryAfterSeconds);
  return { value, text, cookies };
}

function readAnswer(text: string, httpStatus: number): Content {
  const isSuccess = httpStatus >= 200 && httpStatus < 300;
  if (isSuccess && text === "") return { value: null, text, refusal: null };
  const value = parse(text);
  if (isSuccess && value !== undefined) return { value, text, refusal: null };
  const error = textOf(value, "error");
  if (error === undefined || numberOf(value, "status") !== httpStatus) throw notWhat("the console's", text, httpStatus);
  const told = { message: textOf(value, "message"), errorCode: textOf(value, "errorCode") };
  return { value, text, refusal: { status: httpStatus, error, ...told } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
