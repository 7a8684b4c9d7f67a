import { setTimeout as sleepMs } from "node:timers/promises";

/**
 * Groups concurrent calls about the same key. All of them see the state that the first one read, so that exactly one
 * can win, however many transactions it takes to serve them. Calls sent at the same time do not arrive at the same
 * time, nor in the same process: so the first call waits briefly after its read, and the others join before anything
 * has changed.
 */
export class SharedSnapshots<Seen> {
  readonly #gatherMs: number;
  readonly #snapshots = new Map<string, { seen: Promise<Seen>; calls: number }>();

  /** @param gatherMs how long a call waits after its read, in milliseconds. */
  constructor(gatherMs: number) {
    this.#gatherMs = gatherMs;
  }

  /** Joins the group for `key`, or begins one with a read. Each call must leave in the end. */
  async enter(key: string, read: () => Promise<Seen>): Promise<Seen> {
    const group = this.#snapshots.get(key) ?? { seen: read(), calls: 0 };
    this.#snapshots.set(key, group);
    group.calls++;
    try {
      const seen = await group.seen;
      await sleepMs(this.#gatherMs);
      return seen;
    } catch (error) {
      this.leave(key);
      throw error;
    }
  }

  leave(key: string): void {
    const group = this.#snapshots.get(key);
    if (group !== undefined && --group.calls === 0) this.#snapshots.delete(key);
  }
}
