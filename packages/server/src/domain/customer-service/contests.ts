import { setTimeout as sleepMs } from "node:timers/promises";

/**
 * Calls about one thing that are under way at the same time. All see it as the first of them found it, so that of those
 * who are there at once one can win, however many turns of the database it takes to hear them.
 *
 * What is sent at once does not arrive at once, and not at one process: whoever has looked waits a little before they go
 * on, so that others look before anything has changed.
 */
export class Contests<Seen> {
  readonly #gatherMs: number;
  readonly #contests = new Map<string, { seen: Promise<Seen>; calls: number }>();

  /** @param gatherMs how long whoever has looked waits. */
  constructor(gatherMs: number) {
    this.#gatherMs = gatherMs;
  }

  /** Joins the contest for `key`, or begins one by a look at it. Whoever has joined leaves. */
  async enter(key: string, look: () => Promise<Seen>): Promise<Seen> {
    const contest = this.#contests.get(key) ?? { seen: look(), calls: 0 };
    this.#contests.set(key, contest);
    contest.calls++;
    try {
      const seen = await contest.seen;
      await sleepMs(this.#gatherMs);
      return seen;
    } catch (error) {
      this.leave(key);
      throw error;
    }
  }

  leave(key: string): void {
    const contest = this.#contests.get(key);
    if (contest !== undefined && --contest.calls === 0) this.#contests.delete(key);
  }
}
