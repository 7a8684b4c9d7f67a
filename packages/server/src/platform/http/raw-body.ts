import type { IncomingMessage } from "node:http";
import { Refusal } from "../errors/refusal.ts";

/** The longest body of a call without token; enough for signing in. */
export const STRANGERS_BODY_BYTES = 8 * 1024;

/** The sender disconnected before its request was complete, so nobody can be answered. */
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
