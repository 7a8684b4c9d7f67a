import type { ServerResponse } from "node:http";

/** In bytes a second: whoever takes less keeps a place from the others. */
const LEAST_RATE = 16 * 1024;

/**
 * Cuts `response` off when less than {@link LEAST_RATE} of it is taken over a window. It is to be written in pieces, each
 * when the one before has been taken: a piece counts as it is handed to the system.
 *
 * @param isJudged whether that is the reader's doing, asked at the end of a window.
 * @returns how to stop looking.
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
