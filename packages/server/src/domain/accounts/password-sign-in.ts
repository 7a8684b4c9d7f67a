import { createHash } from "node:crypto";
import { setTimeout as sleepMs } from "node:timers/promises";
import { ApiError } from "@portico/protocol";
import type { Clock } from "../../platform/clock/clock.ts";
import { SIGN_IN_RULES } from "../../platform/coordination/sign-ins.ts";
import { growingLru } from "../../platform/limits/growing-lru.ts";
import { type LoginThrottle, tooMany } from "./login-throttle.ts";
import type { PasswordHasher, SignInLane } from "./passwords.ts";
import { type Payment, SignInBudget } from "./sign-in-budget.ts";

/**
 * Under concurrency a failure is answered after a multiple of this time: the delay reveals nothing and slows the caller
 * down.
 */
const HELD_MS = 1_000;
/** The most delayed answers at a time; further ones are sent at once. */
const MAX_HELD = 2_000;
/** The most accounts remembered whose last unpaid check failed. They are kept as long as failures count. */
const MAX_MISSED = 50_000;

/** An attempt to sign in with a password. */
export interface SignInAttempt {
  lane: SignInLane;
  /** Identifies the account across all lanes, whether it exists or not. */
  account: string;
  /** The caller whose budget pays for failures. */
  caller: string;
  password: string;
}

/** The account that the attempt names. */
interface Account {
  /** Null when the account has no password. */
  passwordHash: string | null;
}

/** The dependencies of signing in with passwords. */
interface PasswordSignInParts {
  throttle: LoginThrottle;
  passwords: Pick<PasswordHasher, "verify" | "afterAllOf">;
  clock: Clock;
  /** Resolves after this many milliseconds. */
  sleep?: (ms: number) => Promise<void>;
}

/**
 * Signs in with passwords, and bounds the cost that strangers can cause.
 *
 * Before any hashing, each attempt is paid for from its caller's budget and from the global budget; a success is
 * refunded. Accounts that exist and have no recent failures have reserved places, ahead of all others. So strangers
 * cannot block their sign-in: while a budget is empty, only these accounts are checked.
 *
 * This must not reveal which accounts exist. An attempt that runs alone is always checked in the same way. When other
 * attempts are in progress, or when it is not paid for, a failure is answered a whole number of seconds after it
 * arrived. All unpaid failures get the same message, whether the password was checked or not.
 */
export class PasswordSignIn {
  readonly #throttle: LoginThrottle;
  readonly #passwords: PasswordSignInParts["passwords"];
  readonly #clock: Clock;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #budgets: Record<SignInLane, SignInBudget> = { console: new SignInBudget(), members: new SignInBudget() };
  /**
   * When the unpaid check of an account failed. This is not recorded in the throttle, which would then contain only
   * accounts that exist.
   */
  readonly #missed = growingLru<number>(MAX_MISSED);
  #held = 0;

  constructor({ throttle, passwords, clock, sleep = sleepMs }: PasswordSignInParts) {
    this.#throttle = throttle;
    this.#passwords = passwords;
    this.#clock = clock;
    this.#sleep = sleep;
  }

  /**
   * The account that `find` returns, if the password is correct; null when it is wrong or there is no account.
   *
   * @throws ApiError 429001 when there are too many failures or too many attempts in progress.
   */
  async attempt<Found extends Account>(
    attempt: SignInAttempt,
    find: () => Promise<Found | null>,
  ): Promise<Found | null> {
    const begunMs = this.#clock.monotonic();
    const { lane, account, caller } = attempt;
    const budget = this.#budgets[lane];
    let held = false;
    let unpaidMs = 0;
    try {
      const found = await this.#throttle.attempt(account, this.#clock.now(), async (failures) => {
        const payment = budget.pay(caller, this.#clock.monotonic());
        held = !payment.paid || payment.crowded;
        if (!payment.paid) unpaidMs = payment.waitMs;
        return await this.#check(attempt, find, { payment, failures });
      });
      if (found === null && held) await this.#hold(begunMs);
      return found;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (held || !budget.fine(caller, this.#clock.monotonic())) await this.#hold(begunMs);
      throw unpaidMs > 0 ? tooMany("LOGINS_TOO_MANY", unpaidMs) : error;
    }
  }

  /** @throws ApiError 429001 when the attempt is not paid for, unless the password is correct. */
  async #check<Found extends Account>(
    { lane, account, caller, password }: SignInAttempt,
    find: () => Promise<Found | null>,
    { payment, failures }: { payment: Payment; failures: number },
  ): Promise<Found | null> {
    let failed = false;
    try {
      const key = keyOf(account);
      const turn = this.#passwords.afterAllOf(lane, caller);
      const found = await find();
      const hash = found?.passwordHash ?? null;
      const alone = payment.paid && !payment.crowded;
      const reserved = !alone && hash !== null && failures === 0 && !this.#hasMissed(key);
      // For an account that does not exist, a password is checked as well, so that the answer takes as long.
      const isChecked = payment.paid || reserved;
      failed = !(isChecked && (await this.#passwords.verify(password, hash, { lane, caller, reserved })));
      if (failed) await turn;
      if (!failed) this.#missed.delete(key);
      else if (!payment.paid && reserved) this.#missed.set(key, this.#clock.monotonic());
      if (failed && !payment.paid) throw tooMany("LOGINS_TOO_MANY", payment.waitMs);
      return failed ? null : found;
    } finally {
      if (payment.paid) payment.settle(failed);
    }
  }

  #hasMissed(key: string): boolean {
    const at = this.#missed.get(key);
    return at !== undefined && this.#clock.monotonic() - at < SIGN_IN_RULES.windowMs;
  }

  /** Waits until a multiple of {@link HELD_MS} has passed since `begunMs`. */
  async #hold(begunMs: number): Promise<void> {
    if (this.#held >= MAX_HELD) return;
    this.#held++;
    await this.#sleep(HELD_MS - ((this.#clock.monotonic() - begunMs) % HELD_MS));
    this.#held--;
  }
}

function keyOf(account: string): string {
  return createHash("sha256").update(account).digest("base64url");
}
