import type { ConsoleErrorBody } from "@portico/protocol";
import { TransportError } from "@portico/sdk";
import { exchange, notWhat } from "@portico/sdk/exchange";
import { numberOf, textOf } from "./json.ts";

const BASE = "/api/open/console/v1";
/** The service calls the receiver while it verifies a subscription. */
const TIMEOUT_MS = 30_000;

/** What a refusal says; one of where no route is has no message. */
type ConsoleRefusal = Pick<ConsoleErrorBody, "status" | "error"> & {
  message: string | undefined;
  /** Of the tables of errors, which the service may have more of than this program. */
  errorCode: string | undefined;
};

/** The console API refused a call (docs/contract/console.md#refusals). */
export class ConsoleRefusedError extends Error {
  override readonly name = "ConsoleRefusedError";
  readonly status: number;
  /** The reason phrase of the status. */
  readonly error: string;
  /** What failed, if the answer says so. */
  readonly errorCode: string | undefined;
  /** Seconds after which a repeat can succeed, when the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether it is the answer of where no route is: the console's own refusals have a message. */
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

/** What the console API answered to a call that it carried out. */
export interface ConsoleAnswer {
  value: unknown;
  /** The same as it came, to be printed as it is. */
  text: string;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What the console API's answers are read as; `refusal` is null for a success. */
interface Content extends ConsoleAnswer {
  refusal: ConsoleRefusal | null;
}

/** The address of a call; the segments below the base are not yet percent-encoded. */
export function consoleUrl(baseUrl: string, path: readonly string[]): URL {
  return new URL(`${BASE}/${path.map(encodeURIComponent).join("/")}`, baseUrl);
}

/** For a success that has not the value that it promises. */
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
 * Carries out one call. The cookies are what the answer sets, each as `name=value`.
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
