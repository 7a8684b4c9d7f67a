import type { DeliveryState, EventType } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db, Dialect } from "../storage/schema.ts";
import type { AttemptResult } from "./attempt.ts";
import { countAttempt } from "./subscription-store.ts";

/**
 * A delivery that a worker holds. `claim` is its fencing token: once another has taken it, or a person has sent it off
 * anew, whatever is still reported under the old token changes nothing.
 */
export interface ClaimedDelivery {
  deliveryId: number;
  claim: number;
  eventId: string;
  eventType: EventType;
  body: string;
  /** Retries used so far. */
  retryCount: number;
  /** When it was due. */
  dueAt: number;
}

/** When each application has something due next, of those that have anything at all. */
export async function listDueApps(db: Db): Promise<{ appId: string; dueAt: number }[]> {
  // Steps from application to application through the index, however many deliveries each has.
  const { rows } = await sql<{ appId: string; dueAt: number }>`
    with recursive due(app_id) as (
      select min(app_id) from deliveries where due_at is not null
      union all
      select (select min(app_id) from deliveries where due_at is not null and app_id > due.app_id)
      from due where due.app_id is not null
    )
    select app_id as "appId",
      (select min(due_at) from deliveries where due_at is not null and deliveries.app_id = due.app_id) as "dueAt"
    from due where app_id is not null
  `.execute(db);
  return rows;
}

/** When the application has something due next; null when it has nothing. */
export async function nextDueAt(db: Db, appId: string): Promise<number | null> {
  const row = await db
    .selectFrom("deliveries")
    .select((eb) => eb.fn.min("due_at").as("dueAt"))
    .where("app_id", "=", appId)
    .where("due_at", "is not", null)
    .executeTakeFirst();
  return row?.dueAt ?? null;
}

/** Since when the delivery that has waited longest is due; null when none is. */
export async function oldestDue(db: Db, now: number): Promise<number | null> {
  const apps = await listDueApps(db);
  const due = apps.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt <= now);
  return due.length === 0 ? null : Math.min(...due);
}

/** Takes up to `limit` deliveries that are due, the oldest first, under a lease that ends at `leaseEnd`. */
export async function claimDue(
  tx: Db,
  dialect: Dialect,
  { appId, limit, now, leaseEnd }: { appId: string; limit: number; now: number; leaseEnd: number },
): Promise<ClaimedDelivery[]> {
  let due = tx
    .selectFrom("deliveries")
    .select(["delivery_id", "due_at"])
    .where("app_id", "=", appId)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("delivery_id")
    .limit(limit);
  if (dialect === "postgres") due = due.forUpdate().skipLocked();
  const taken = await due.execute();
  if (taken.length === 0) return [];
  const dueAtOf = new Map(taken.map((row) => [row.delivery_id, row.due_at ?? now]));
  const rows = await tx
    .updateTable("deliveries")
    .set((eb) => ({ claim: eb("claim", "+", 1), claimed: 1, due_at: leaseEnd }))
    .where("delivery_id", "in", [...dueAtOf.keys()])
    .returning([
      "delivery_id as deliveryId",
      "claim",
      "event_id as eventId",
      "event_type as eventType",
      "body",
      "retry_count as retryCount",
    ])
    .execute();
  return rows
    .map((row) => ({ ...row, dueAt: dueAtOf.get(row.deliveryId) ?? now }))
    .sort((a, b) => a.dueAt - b.dueAt || a.deliveryId - b.deliveryId);
}

/** What became of a delivery: its state, and when it is due again. */
export interface DeliveryVerdict {
  status: DeliveryState;
  dueAt: number | null;
  retryCount: number;
}

const settle = prepared<{
  deliveryId: number;
  claim: number;
  status: DeliveryState;
  dueAt: number | null;
  retryCount: number;
  lastStatus: number | null;
  lastReason: string | null;
}>()((db, param) =>
  db
    .updateTable("deliveries")
    .set((eb) => ({
      status: param("status"),
      due_at: param("dueAt"),
      retry_count: param("retryCount"),
      claimed: 0,
      attempt_count: eb("attempt_count", "+", 1),
      last_status: param("lastStatus"),
      last_reason: param("lastReason"),
    }))
    .where("delivery_id", "=", param("deliveryId"))
    .where("claim", "=", param("claim"))
    .where("claimed", "=", 1)
    .returning("attempt_count as attempt"),
);

const insertAttempt = prepared<{
  deliveryId: number;
  attempt: number;
  at: number;
  address: string | null;
  status: number | null;
  reason: string | null;
  detail: string | null;
  durationMs: number;
  phases: string;
  answer: string;
  nextAttemptAt: number | null;
}>()((db, param) =>
  db.insertInto("delivery_attempts").values({
    delivery_id: param("deliveryId"),
    attempt: param("attempt"),
    at: param("at"),
    address: param("address"),
    status: param("status"),
    reason: param("reason"),
    detail: param("detail"),
    duration_ms: param("durationMs"),
    phases: param("phases"),
    answer: param("answer"),
    next_attempt_at: param("nextAttemptAt"),
  }),
);

/**
 * Records an attempt and what follows from it, the subscription's count of failures included.
 *
 * @returns false, having recorded nothing, when the claim is no longer the worker's.
 */
export async function recordAttempt(
  tx: Db,
  appId: string,
  { deliveryId, claim, eventType }: Pick<ClaimedDelivery, "deliveryId" | "claim" | "eventType">,
  result: AttemptResult,
  verdict: DeliveryVerdict,
): Promise<boolean> {
  const { status: lastStatus, reason: lastReason, phases, at, address, detail, answer } = result;
  const row = await settle.first(tx, { deliveryId, claim, ...verdict, lastStatus, lastReason });
  if (row === undefined) return false;
  await Promise.all([
    insertAttempt.affected(tx, {
      deliveryId,
      attempt: row.attempt,
      at,
      address,
      status: lastStatus,
      reason: lastReason,
      detail,
      durationMs: Math.round(result.durationMs),
      phases: JSON.stringify(phases),
      answer,
      nextAttemptAt: verdict.dueAt,
    }),
    countAttempt(tx, appId, eventType, verdict.status === "DELIVERED"),
  ]);
  return true;
}

/** Ends a delivery without an attempt: there is nobody to deliver to. */
export async function dropDelivery(
  tx: Db,
  { deliveryId, claim }: Pick<ClaimedDelivery, "deliveryId" | "claim">,
  reason: string,
): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({ status: "DROPPED", due_at: null, claimed: 0, last_reason: reason })
    .where("delivery_id", "=", deliveryId)
    .where("claim", "=", claim)
    .where("claimed", "=", 1)
    .execute();
}

/** Gives claims back unused: the deliveries are due again at once. */
export async function giveBackClaims(
  tx: Db,
  claims: readonly Pick<ClaimedDelivery, "deliveryId" | "claim">[],
  now: number,
): Promise<void> {
  for (const { deliveryId, claim } of claims) {
    await tx
      .updateTable("deliveries")
      .set({ claimed: 0, due_at: now })
      .where("delivery_id", "=", deliveryId)
      .where("claim", "=", claim)
      .where("claimed", "=", 1)
      .execute();
  }
}

/** Takes all claims away: for when no worker but this process's can be alive, and it has none yet. */
export async function takeAllClaimsBack(tx: Db, now: number): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set((eb) => ({ claimed: 0, due_at: now, claim: eb("claim", "+", 1) }))
    .where("due_at", "is not", null)
    .where("claimed", "=", 1)
    .execute();
}

/** How many deliveries wake up in the same moment after a deferral, and how far apart the moments are. */
const WAKE_GROUPS = 50;
const WAKE_APART_MS = 100;

/**
 * Puts off everything of the application that is due, since its circuit lets nothing through: from `until` on, spread
 * out, so that not all wake at once. No retry is used.
 */
export async function deferDue(tx: Db, appId: string, now: number, until: number): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({
      due_at: sql<number>`${until} + (delivery_id % ${sql.lit(WAKE_GROUPS)}) * ${sql.lit(WAKE_APART_MS)}`,
      claimed: 0,
    })
    .where("app_id", "=", appId)
    .where("due_at", "<=", now)
    .execute();
}
