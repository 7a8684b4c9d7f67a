/** When sign-ins to an account are refused. Times are in milliseconds. */
export const SIGN_IN_RULES = {
  /** Failures within the window from which on the account is shut. */
  maxFailures: 10,
  windowMs: 600_000,
  /** When an attempt is taken to have died with its process; longer than any check takes. */
  attemptMs: 60_000,
} as const;

/** What becomes of an attempt to sign in. */
export type SignInEntry =
  /** How many have failed within the window. */
  | { entry: "open"; place: SignInPlace; failures: number }
  /** As many are under way as may still fail: nothing is known before one of them ends. */
  | { entry: "full" }
  /** Too many have failed; none is let in before `until`, in epoch milliseconds. */
  | { entry: "shut"; until: number };

/** The place of an attempt under way. */
export interface SignInPlace {
  id: string;
  /** When it began, in epoch milliseconds. */
  at: number;
}

/** How an attempt ended; one that told nothing about the password is unknown. */
export type SignInOutcome = "succeeded" | "failed" | "unknown";

/**
 * Failed sign-ins to each account, counted over a sliding window. An attempt under way takes the place of a failure until
 * it has ended, so that many at once cannot fail more often than many in a row.
 */
export interface SignIns {
  /** Takes a place among the failures that the account may have. */
  enter(account: string, now: number): SignInEntry | Promise<SignInEntry>;
  /** Gives the place back. A failure is counted from when it began; a success has all counted before it forgotten. */
  leave(account: string, place: SignInPlace, outcome: SignInOutcome): void | Promise<void>;
}
