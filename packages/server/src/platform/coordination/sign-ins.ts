/** The rules for refusing sign-ins to an account. Times are in milliseconds. */
export const SIGN_IN_RULES = {
  /** The number of failures in the window from which on the account is locked. */
  maxFailures: 10,
  windowMs: 600_000,
  /** The time after which an attempt is assumed to have died with its process; longer than any check takes. */
  attemptMs: 60_000,
} as const;

/** The result of an attempt to begin a sign-in. */
export type SignInEntry =
  /** The number of failures in the window. */
  | { entry: "open"; place: SignInPlace; failures: number }
  /** The attempts in progress could exceed the limit if they fail; wait until one of them ends. */
  | { entry: "full" }
  /** Too many failures: the account is locked until `until`, in epoch milliseconds. */
  | { entry: "shut"; until: number };

/** The place of an attempt in progress. */
export interface SignInPlace {
  id: string;
  /** When it began, in epoch milliseconds. */
  at: number;
}

/** The end of an attempt; "unknown" when the password was not checked. */
export type SignInOutcome = "succeeded" | "failed" | "unknown";

/**
 * Failed sign-ins per account, counted over a sliding window. An attempt in progress counts as a failure until it has
 * ended, so that concurrent attempts cannot fail more often than consecutive ones.
 */
export interface SignIns {
  /** Begins an attempt, if the account may have another failure. */
  enter(account: string, now: number): SignInEntry | Promise<SignInEntry>;
  /** Ends an attempt. A failure counts from its start; a success removes all failures. */
  leave(account: string, place: SignInPlace, outcome: SignInOutcome): void | Promise<void>;
}
