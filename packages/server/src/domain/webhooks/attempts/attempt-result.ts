import type { FailureReason } from "./attempt-failure.ts";

/**
 * The duration of each phase in milliseconds; null for a phase that was not reached or, on a reused connection, not
 * needed.
 */
export interface AttemptPhases {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the sending of the request to the first received byte. */
  firstByteMs: number | null;
}

/** The result of a delivery attempt over HTTP. Either `status` or `reason` is null. */
export interface AttemptResult {
  /** When it began, in epoch milliseconds. */
  at: number;
  /** The last address tried, or that of the reused connection; null when none was resolved. */
  address: string | null;
  status: number | null;
  reason: FailureReason | null;
  /** The error, for people; with a status: what interrupted the body. */
  detail: string | null;
  /** In whole milliseconds, including the wait for a free connection. */
  durationMs: number;
  phases: AttemptPhases;
  /** The beginning of the answer's body: valid UTF-8 without NUL, at most 4 KiB. */
  answer: string;
}

/**
 * The result of a delivery attempt, as it is recorded. By socket `address` is "socket", `status` and `phases` are null, and
 * `reason` is null when the event was acknowledged.
 */
export type RecordedResult = Omit<AttemptResult, "phases"> & { phases: AttemptPhases | null };
