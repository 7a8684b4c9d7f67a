import { RETRYABLE_CODES } from "@portico/protocol";
import type { ApiRefusedError } from "@portico/protocol/client";

/** Longest wait before the first retry; it doubles with each further one. */
const FIRST_DELAY_MS = 250;

/** When a refused call is tried again. */
export interface RetryPolicy {
  /** Retries beside the first try. */
  maxRetries: number;
  /** Longest wait between two tries; a refusal that asks for more of it stands. */
  maxRetryDelayMs: number;
  /** A number from 0 up to, not including, 1. */
  random: () => number;
}

/**
 * Milliseconds to wait before retry number `retry` (counted from 0), or null when the refusal stands. Exponential
 * backoff with full jitter, but never sooner than the service's `Retry-After`.
 */
export function retryDelayMs(refusal: ApiRefusedError, retry: number, policy: RetryPolicy): number | null {
  if (retry >= policy.maxRetries || !RETRYABLE_CODES.has(refusal.code)) return null;
  const askedMs = (refusal.retryAfterSeconds ?? 0) * 1000;
  if (askedMs > policy.maxRetryDelayMs) return null;
  const longestMs = Math.min(FIRST_DELAY_MS * 2 ** retry, policy.maxRetryDelayMs);
  return Math.max(askedMs, Math.floor(policy.random() * longestMs));
}
