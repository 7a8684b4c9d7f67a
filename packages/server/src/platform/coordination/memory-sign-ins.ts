import { randomUUID } from "node:crypto";
import { growingLru } from "../limits/growing-lru.ts";
import { SIGN_IN_RULES, type SignInEntry, type SignInOutcome, type SignInPlace, type SignIns } from "./sign-ins.ts";

/**
 * The most stored accounts: more than a process can check within the window; 25 MB when all of them have failures.
 */
const MAX_ACCOUNTS = 50_000;

interface Account {
  /** The start times of failed attempts. */
  failures: number[];
  /** The expiry times of attempts in progress. */
  running: Map<string, number>;
}

/** The failed sign-ins of one process. */
export class MemorySignIns implements SignIns {
  readonly #accounts = growingLru<Account>(MAX_ACCOUNTS);

  enter(account: string, now: number): SignInEntry {
    const { maxFailures, windowMs, attemptMs } = SIGN_IN_RULES;
    const state = this.#stateOf(account);
    state.failures = state.failures.filter((at) => at > now - windowMs);
    for (const [id, end] of state.running) if (end <= now) state.running.delete(id);
    if (state.failures.length >= maxFailures) return { entry: "shut", until: Math.min(...state.failures) + windowMs };
    if (state.failures.length + state.running.size >= maxFailures) return { entry: "full" };
    const place = { id: randomUUID(), at: now };
    state.running.set(place.id, now + attemptMs);
    return { entry: "open", place, failures: state.failures.length };
  }

  leave(account: string, place: SignInPlace, outcome: SignInOutcome): void {
    const state = this.#stateOf(account);
    state.running.delete(place.id);
    if (outcome === "failed") state.failures = [...state.failures, place.at].slice(-SIGN_IN_RULES.maxFailures);
    if (outcome === "succeeded") state.failures = [];
    if (state.failures.length + state.running.size === 0) this.#accounts.delete(account);
  }

  #stateOf(account: string): Account {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const fresh: Account = { failures: [], running: new Map() };
    this.#accounts.set(account, fresh);
    return fresh;
  }
}
