import { tooMany } from "./login-throttle.ts";

/** The most that are in progress in a process: each costs two hashes, beside those of sign-ins. */
const MAX_CHANGES = 32;

/** Changes of people's own passwords: one at a time for each account, and a bounded number of all. */
export class PasswordChanges {
  readonly #running = new Set<string>();

  /** @throws ApiError 429001 when the account changes it already, or too many others do. */
  async run<Value>(account: string, work: () => Promise<Value>): Promise<Value> {
    if (this.#running.has(account) || this.#running.size >= MAX_CHANGES) throw tooMany("LOGINS_TOO_MANY", 1_000);
    this.#running.add(account);
    try {
      return await work();
    } finally {
      this.#running.delete(account);
    }
  }
}
