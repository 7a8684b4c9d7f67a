import type { ApiResult } from "../envelope.ts";
import { TransportError } from "./errors.ts";

/** The most bytes of an answer that are read. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** The most characters of an invalid answer that its error includes. */
const EXCERPT_LENGTH = 200;

/** An HTTP request, ready to send. */
export interface HttpRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
}

/** Settings of an exchange. */
export interface ExchangeOptions {
  /** Time limit in milliseconds, from the first byte sent to the last byte read. */
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
  /** Cancels the exchange, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** An answer of the service, also a refusal: its parsed body, and parts of its head. */
export interface Answer<Content> {
  httpStatus: number;
  content: Content;
  /** Seconds of the `Retry-After` header, if it is a whole number. */
  retryAfterSeconds: number | undefined;
}

/**
 * Sends a request and reads the complete answer, without retries or redirects.
 *
 * @param read parses the text of the answer; when it throws, the answer is not from the service.
 * @throws TransportError when no complete answer of the service arrives in time, for any reason.
 */
export async function exchange<Content>(
  request: HttpRequest,
  { fetch, timeoutMs, signal }: ExchangeOptions,
  read: (text: string, httpStatus: number) => Content,
): Promise<Answer<Content>> {
  const label = `${request.method} ${request.url.origin}${request.url.pathname}`;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeoutMs);
  const signals = signal === undefined ? [abort.signal] : [abort.signal, signal];
  let httpStatus: number | undefined;
  try {
    // Called without `this`: a browser's fetch accepts only its window.
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      redirect: "manual",
      signal: AbortSignal.any(signals),
    });
    httpStatus = response.status;
    refuseRedirect(response);
    const content = read(await readText(response), httpStatus);
    return { httpStatus, content, retryAfterSeconds: wholeSeconds(response.headers.get("retry-after")) };
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = abort.signal.aborted ? `no complete answer within ${timeoutMs} ms` : reasonOf(cause);
    throw new TransportError(`${label}: ${reason}`, { cause, httpStatus });
  } finally {
    clearTimeout(timer);
    // Closes the connection when part of the answer is unread; no effect after a complete one.
    abort.abort();
  }
}

/** A redirect would send the signature to another address. */
function refuseRedirect(response: Response): void {
  const { status } = response;
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    throw new Error(`HTTP ${status}, a redirect, which is not followed`);
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Not every browser can iterate over a stream.
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = (await reader?.read())?.value;
    if (chunk === undefined) break;
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Parses the answers of the open API and of the members' API. */
export function readEnvelope(text: string, httpStatus: number): ApiResult {
  try {
    const answer: unknown = JSON.parse(text);
    if (isEnvelope(answer)) return answer;
  } catch {
    // Not JSON, so not an envelope; the excerpt below is more useful than the parser's message.
  }
  throw notWhat("an ApiResult", text, httpStatus);
}

/** The error of an answer that is not `what` it should be; its cause shows the beginning. */
export function notWhat(what: string, text: string, httpStatus: number): Error {
  return new Error(`HTTP ${httpStatus} with an answer that is not ${what}`, {
    cause: new Error(`the answer begins with ${JSON.stringify(text.slice(0, EXCERPT_LENGTH))}`),
  });
}

function isEnvelope(answer: unknown): answer is ApiResult {
  if (typeof answer !== "object" || answer === null) return false;
  if (!("code" in answer && "message" in answer && "value" in answer && "reqNo" in answer)) return false;
  return typeof answer.code === "string" && typeof answer.message === "string" && typeof answer.reqNo === "string";
}

function wholeSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

/** The innermost message: fetch reports "fetch failed" and has the reason in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof TypeError && error.cause instanceof Error)) return error.message;
  const { cause } = error;
  if (cause.message !== "") return cause.message;
  return "code" in cause ? String(cause.code) : cause.name;
}
