const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/** Milliseconds before the try number `retry` (the first is 0) to connect again: it doubles, with jitter, to 30 s at most. */
export function reconnectDelayMs(retry: number, random: () => number): number {
  const longestMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(retry, 16), LONGEST_DELAY_MS);
  // At least half of it, so that a service that comes back is not met by all bots at once.
  return Math.floor(longestMs * (0.5 + random() / 2));
}
