import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** How much of a refused body is read and thrown away so that its sender gets to see the answer. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const MAX_DISCARDING_MS = 10_000;

/** What a call may send that needs no token: enough to sign in with. */
export const STRANGERS_BODY_BYTES = 8 * 1024;

/** The sender went away before its request was whole; nobody is left to answer. */
export class RequestAborted extends Error {
  override readonly name = "RequestAborted";
}

/**
 * Refuses a body that announces more than `maxBytes`.
 *
 * @throws ApiError 413001.
 */
export function checkContentLength(request: IncomingMessage, maxBytes: number): void {
  const announced = request.headers["content-length"];
  if (announced === undefined || Number(announced) <= maxBytes) return;
  throw bodyTooLarge(maxBytes, Number(announced));
}

/** The refusal of a body of more than `maxBytes`, announced as `contentLength` bytes or not announced. */
export function bodyTooLarge(maxBytes: number, contentLength: number | null): Refusal {
  const reason =
    contentLength === null
      ? `the body is over ${maxBytes} bytes`
      : `Content-Length ${contentLength} is over ${maxBytes}`;
  return new Refusal("BODY_TOO_LARGE", { check: "body-size", details: { maxBytes, contentLength } }, { reason });
}

const discarding = new WeakSet<IncomingMessage>();

/**
 * Reads on, within bounds, and forgets: closing the connection on unread data would make the system drop the answer
 * before its reader sees it (RFC 9112, section 9.6). Does nothing where all has been read.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded || discarding.has(request)) return;
  discarding.add(request);
  let discarded = 0;
  const timer = setTimeout(() => request.destroy(), MAX_DISCARDING_MS);
  timer.unref();
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) request.destroy();
  });
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => clearTimeout(timer));
  request.on("error", () => {});
  request.resume();
}
