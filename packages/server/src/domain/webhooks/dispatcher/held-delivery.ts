import type { Config } from "../../../platform/config/config.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { laneOf } from "../delivery-lane.ts";
import { type ClaimedDelivery, claimDue } from "../delivery-store.ts";
import { getRecipients, type Recipients } from "../subscription-store.ts";
import type { Claim } from "./app-deliveries.ts";

/** From this age on, recipients are read again before the attempt. */
const FRESH_MS = 20;
/** A lease covers the wait, the time limits of an attempt, and this for what comes before and after it. */
const LEASE_SLACK_MS = 15_000;

/** A claim with what is needed to carry it out. */
export interface HeldDelivery extends Claim {
  readonly delivery: ClaimedDelivery;
  /** Whom it goes to, and when that was read, on the monotonic clock. */
  recipients: Recipients;
  readAt: number;
}

/** How long a claim is this process's: longer than everything that it does with it. */
export function leaseMsFor({ connectTimeoutMs, readTimeoutMs }: Config["webhook"], maxAheadMs: number): number {
  return maxAheadMs + connectTimeoutMs + readTimeoutMs + LEASE_SLACK_MS;
}

/**
 * Claims up to `limit` deliveries of the application that are due at `now`, the oldest first, under leases that end at
 * `leaseEnd` (epoch milliseconds), and reads whom they go to.
 */
export async function takeDue(
  storage: Storage,
  { probe, ...look }: { appId: string; limit: number; now: number; leaseEnd: number; probe: string | null },
): Promise<HeldDelivery[]> {
  const { appId } = look;
  const readAt = performance.now();
  const [claimed, recipients] = await storage.write(
    async (tx) => [await claimDue(tx, storage.dialect, look), await getRecipients(tx, appId)] as const,
    laneOf(appId),
  );
  // From here on: a slow database is no reason to give back what it has just handed out.
  const claimedAt = performance.now();
  return claimed.map((delivery) => ({ appId, delivery, claimedAt, recipients, readAt, probe, stage: "waiting" }));
}

/** Whom the delivery goes to, as it is now. */
export async function freshRecipients(db: Db, held: HeldDelivery): Promise<Recipients> {
  if (performance.now() - held.readAt > FRESH_MS) {
    const readAt = performance.now();
    held.recipients = await getRecipients(db, held.appId);
    held.readAt = readAt;
  }
  return held.recipients;
}
