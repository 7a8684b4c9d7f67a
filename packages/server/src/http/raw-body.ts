import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal.ts";

/** How much of a refused body is read and thrown away so that its sender gets to see the answer. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const MAX_DISCARDING_MS = 10_000;

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

/**
 * Reads the body as it comes over the wire.
 *
 * @throws ApiError 413001 as soon as it exceeds `maxBytes`.
 * @throws RequestAborted when the sender goes away.
 */
export function readRawBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      stop();
      reject(bodyTooLarge(maxBytes, null));
    };
    const onEnd = () => {
      stop();
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
    };
    const onGone = () => {
      stop();
      reject(new RequestAborted("the request was cut off"));
    };
    const stop = () => {
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    };
    request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

/**
 * Reads on, within bounds, and forgets: closing the connection on unread data would make the system drop the answer
 * before its reader sees it (RFC 9112, section 9.6).
 */
export function discardBody(request: IncomingMessage): void {
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
