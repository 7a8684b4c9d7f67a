import { createHash } from "node:crypto";
import { setTimeout as sleepMs } from "node:timers/promises";
import { ApiError } from "@portico/protocol";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../platform/clock/clock.ts";
import { SIGN_IN_RULES } from "../../platform/coordination/sign-ins.ts";
import { type LoginThrottle, tooMany } from "./login-throttle.ts";
import type { PasswordHasher, SignInLane } from "./passwords.ts";
import { type Payment, SignInBudget } from "./sign-in-budget.ts";

/** What fails among others is answered a whole number of these later: that tells nothing, and slows callers down. */
const HELD_MS = 1_000;
/** Answers that wait at a time; more are answered at once. */
const MAX_HELD = 2_000;
/** Accounts whose last unpaid check failed, as far back as failures count. */
const MAX_MISSED = 50_000;

/** An attempt to sign in by a password. */
export interface SignInAttempt {
  lane: SignInLane;
  /** Names the account among those of all lanes, whether it exists or not. */
  account: string;
  /** Who has to pay for failures. */
  caller: string;
  password: string;
}

/** What an account is found with. */
interface Account {
  /** Null where nobody can sign in by a password. */
  passwordHash: string | null;
}

/** What signing in by passwords needs. */
interface PasswordSignInParts {
  throttle: LoginThrottle;
  passwords: Pick<PasswordHasher, "verify" | "afterAllOf">;
  clock: Clock;
  /** Waits so many milliseconds. */
  sleep?: (ms: number) => Promise<void>;
}

/**
 * Signs in by passwords, and bounds what strangers can make that cost.
 *
 * Each attempt is paid for before anything is hashed, by its caller and from what there is for all; a success has it given
 * back. Accounts that exist and have had no failure of late have places of their own, ahead of the others: so strangers hold
 * nobody up, and while there is nothing to pay with these are checked all the same, and nothing else is.
 *
 * That must not tell which accounts exist. Who is alone is checked as everybody is. Where others are under way, or nothing is
 * paid, whatever fails is answered a whole number of seconds after it came, and all that fails unpaid in the same words,
 * whether it was checked or not.
 */
export class PasswordSignIn {
  readonly #throttle: LoginThrottle;
  readonly #passwords: PasswordSignInParts["passwords"];
  readonly #clock: Clock;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #budgets: Record<SignInLane, SignInBudget> = { console: new SignInBudget(), members: new SignInBudget() };
  /** When the unpaid check of an account failed. The throttle is not told: it would be told of accounts that exist alone. */
  readonly #missed = new LRUCache<string, number>({ max: MAX_MISSED });
  #held = 0;

  constructor({ throttle, passwords, clock, sleep = sleepMs }: PasswordSignInParts) {
    this.#throttle = throttle;
    this.#passwords = passwords;
    this.#clock = clock;
    this.#sleep = sleep;
  }

  /**
   * The account that `find` gives, if the password is its own; null when it is not, or there is no account.
   *
   * @throws ApiError 429001 when too many have failed, or too many are under way.
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

  /** @throws ApiError 429001 when it is not paid for, unless the password is right. */
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
      // Of an account that does not exist a password is checked as well, and takes as long.
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

  /** Waits until a whole number of {@link HELD_MS} has gone by since `begunMs`. */
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
