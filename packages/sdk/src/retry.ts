import type { ApiRefusedError } from "@portico/protocol/client/errors";
import { RETRYABLE_CODES } from "@portico/protocol/errors";

/** The longest wait before the first retry, in milliseconds; it doubles with each further one. */
const FIRST_DELAY_MS = 250;

/** When a refused call is retried. */
export interface RetryPolicy {
  /** Retries after the first try. */
  maxRetries: number;
  /** The longest wait between two tries, in milliseconds; a refusal that asks for more is not retried. */
  maxRetryDelayMs: number;
  /** A number from 0 up to, not including, 1. */
  random: () => number;
}

/**
 * Milliseconds to wait before retry number `retry` (the first is 0); null when the call must not be retried.
 * Exponential backoff with full jitter, but never less than the service's `Retry-After`.
 */
export function retryDelayMs(refusal: ApiRefusedError, retry: number, policy: RetryPolicy): number | null {
  if (retry >= policy.maxRetries || !RETRYABLE_CODES.has(refusal.code)) return null;
  const askedMs = (refusal.retryAfterSeconds ?? 0) * 1000;
  if (askedMs > policy.maxRetryDelayMs) return null;
  const longestMs = Math.min(FIRST_DELAY_MS * 2 ** retry, policy.maxRetryDelayMs);
  return Math.max(askedMs, Math.floor(policy.random() * longestMs));
}
