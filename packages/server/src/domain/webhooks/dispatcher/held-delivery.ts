import type { Config } from "../../../platform/config/config.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import type { ClaimedDelivery } from "../claimed-delivery.ts";
import { laneOf } from "../delivery-lane.ts";
import { claimDue, nextDueAt } from "../delivery-store.ts";
import { getRecipients, type Recipients } from "../subscription-store.ts";
import type { Claim } from "./app-deliveries.ts";

/** From this age on, the subscriptions are read again before the attempt. */
const FRESH_MS = 20;
/** A lease covers the wait, the time limits of an attempt, and this time for the work before and after it. */
const LEASE_SLACK_MS = 15_000;

/** A claim with the data that its attempt needs. */
export interface HeldDelivery extends Claim {
  readonly delivery: ClaimedDelivery;
  /** The application's subscriptions, and when they were read, on the monotonic clock; null before. */
  recipients: { read: Recipients; readAt: number } | null;
}

/** The length of a lease: longer than everything that this process does with the claim. */
export function leaseMsFor({ connectTimeoutMs, readTimeoutMs }: Config["webhook"], maxAheadMs: number): number {
  return maxAheadMs + connectTimeoutMs + readTimeoutMs + LEASE_SLACK_MS;
}

/** What was claimed, and when the application's next delivery is due after that (null when it has none). */
export interface Claimed {
  claims: HeldDelivery[];
  nextDueAt: number | null;
}

/**
 * Claims up to `limit` deliveries of the application that are due at `now`, the oldest first, under leases that end at
 * `leaseEnd` (epoch milliseconds), and reads the application's subscriptions.
 */
export async function claimDueFor(
  storage: Storage,
  { probe, ...query }: { appId: string; limit: number; now: number; leaseEnd: number; probe: string | null },
): Promise<Claimed> {
  const { appId } = query;
  const readAt = performance.now();
  // Asked at once: PostgreSQL answers in this order, after one trip.
  const [claimed, read, next] = await storage.write(
    (tx) => Promise.all([claimDue(tx, storage.dialect, query), getRecipients(tx, appId), nextDueAt(tx, appId)]),
    laneOf(appId),
  );
  // Counted from here, so that claims of a slow database are not released at once.
  const claimedAt = performance.now();
  const recipients = { read, readAt };
  const claims = claimed.map(
    (delivery): HeldDelivery => ({ appId, delivery, claimedAt, recipients, probe, stage: "waiting" }),
  );
  return { claims, nextDueAt: next };
}

/**
 * Reads the current subscriptions of applications. Attempts of one application that begin at the same time share what
 * was read for one of them.
 */
export class FreshRecipients {
  readonly #db: Db;
  /** By application: reads that began at most {@link FRESH_MS} ago. */
  readonly #reads = new Map<string, { readAt: number; recipients: Promise<Recipients> }>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** The current subscriptions of the delivery's application. */
  async of(held: HeldDelivery): Promise<Recipients> {
    const known = held.recipients;
    if (known !== null && performance.now() - known.readAt <= FRESH_MS) return known.read;
    const { recipients, readAt } = this.#read(held.appId);
    const read = await recipients;
    held.recipients = { read, readAt };
    return read;
  }

  #read(appId: string): { readAt: number; recipients: Promise<Recipients> } {
    const readAt = performance.now();
    // They are in the order of their times.
    for (const [key, old] of this.#reads) {
      if (readAt - old.readAt <= FRESH_MS) break;
      this.#reads.delete(key);
    }
    const known = this.#reads.get(appId);
    if (known !== undefined) return known;
    const read = { readAt, recipients: getRecipients(this.#db, appId) };
    this.#reads.set(appId, read);
    // A failed read is the failure of those that wait for it only.
    read.recipients.catch(() => {
      if (this.#reads.get(appId) === read) this.#reads.delete(appId);
    });
    return read;
  }
}
