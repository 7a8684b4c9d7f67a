import type { ServerResponse } from "node:http";

/** In bytes per second. A slower reader occupies room that others need. */
const LEAST_RATE = 16 * 1024;

/**
 * Aborts `response` when less than {@link LEAST_RATE} of it is read over a window. Write it in pieces, each after the
 * previous one was accepted: a piece counts when it is passed to the system.
 *
 * @param isJudged whether the reader is responsible for the rate, called at the end of a window.
 * @returns a function that ends the check.
 */
export function cutOffWhenSlow(
  response: ServerResponse,
  windowMs: number,
  isJudged: () => boolean = () => true,
): () => void {
  const bytesWritten = () => response.socket?.bytesWritten ?? 0;
  let before = bytesWritten();
  const timer = setInterval(() => {
    const now = bytesWritten();
    if (isJudged() && now - before < (LEAST_RATE * windowMs) / 1_000) response.destroy();
    before = now;
  }, windowMs);
  timer.unref();
  return () => clearInterval(timer);
}
