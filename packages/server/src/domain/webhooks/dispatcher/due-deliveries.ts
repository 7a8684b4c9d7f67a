import type { Claimed } from "./held-delivery.ts";

/** The deliveries of one transport, as a dispatcher finds and claims them. */
export interface DueDeliveries {
  /** Applications that have any, and when the next one is due, in epoch milliseconds. */
  listApps(): Promise<{ appId: string; dueAt: number }[]>;
  /** Claims up to `limit` deliveries of an application that are due at `now`, in the order in which they are attempted. */
  claim(query: { appId: string; limit: number; now: number; probe: string | null }): Promise<Claimed>;
  /**
   * When to look again for those that were due and not claimed; null when a hint will come.
   *
   * @param claimed how many others were claimed.
   */
  leftDue(claimed: number, now: number): number | null;
}
