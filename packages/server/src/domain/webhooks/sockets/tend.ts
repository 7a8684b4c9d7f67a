import { type DropReason, EVENT_TYPES, type EventType } from "@portico/protocol";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../../platform/storage/schema.ts";
import { getRecipients } from "../subscription-store.ts";
import { destinationOf } from "./receivers.ts";
import { listConnections } from "./socket-store.ts";

/** The deliveries per statement and type. */
const SLICE = 500;

/** What became of deliveries that waited for a socket. */
export interface Tended {
  /** Whether some wait for a webhook from now on. */
  isPassedOn: boolean;
  /** Whether there may be more to do. */
  isMore: boolean;
}

/** The times by which deliveries are EXHAUSTED that waited for a connection in vain. */
export interface HoldRules {
  now: number;
  holdMs: number;
  retryDelaysMs: readonly number[];
}

/**
 * Sees to deliveries of an application that wait for a socket: those without a subscription are DROPPED, those whose
 * subscription is by webhook wait for that, and those for which there has been no connection for too long are EXHAUSTED.
 */
export async function tendWaiting(tx: Db, appId: string, rules: HoldRules): Promise<Tended> {
  const recipients = await getRecipients(tx, appId);
  const connections = (await listConnections(tx, appId)).filter(({ leaseUntil }) => leaseUntil > rules.now);
  const tended = { isPassedOn: false, isMore: false };
  for (const eventType of EVENT_TYPES) {
    const destination = destinationOf(eventType, recipients, connections);
    let changed = 0;
    if (destination.to === null) changed = await drop(tx, appId, eventType, destination.reason);
    else if (destination.to === "webhook") changed = await passOn(tx, appId, eventType);
    else if (destination.connections.length === 0) changed = await exhaust(tx, appId, eventType, rules);
    if (destination.to === "webhook" && changed > 0) tended.isPassedOn = true;
    if (changed === SLICE) tended.isMore = true;
  }
  return tended;
}

/** Deliveries of a type that wait for a socket and that nobody has. */
function waitingOf(tx: Db, appId: string, eventType: EventType) {
  return tx
    .selectFrom("deliveries")
    .select("delivery_id")
    .where("app_id", "=", appId)
    .where("event_type", "=", eventType)
    .where("due_at", "is not", null)
    .where("socket", "=", sql.lit(1))
    .where("claimed", "=", 0)
    .orderBy("delivery_id")
    .limit(SLICE);
}

async function drop(tx: Db, appId: string, eventType: EventType, reason: DropReason): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("deliveries")
    .set({ status: "DROPPED", due_at: null, last_reason: reason })
    .where("delivery_id", "in", waitingOf(tx, appId, eventType))
    // Checked again for PostgreSQL: it may have been claimed since its selection.
    .where("claimed", "=", 0)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function passOn(tx: Db, appId: string, eventType: EventType): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("deliveries")
    .set({ socket: 0 })
    .where("delivery_id", "in", waitingOf(tx, appId, eventType))
    .where("claimed", "=", 0)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** A delivery is due at its creation, or its delay after its last attempt; from that time it waits `holdMs` at most. */
async function exhaust(
  tx: Db,
  appId: string,
  eventType: EventType,
  { now, holdMs, retryDelaysMs }: HoldRules,
): Promise<number> {
  const delays = retryDelaysMs.map((delayMs, index) => sql`when ${sql.lit(index + 1)} then ${sql.lit(delayMs)}`);
  const latest =
    sql`cast(${now - holdMs} as bigint) + case retry_count ${sql.join(delays, sql` `)} else 0 end` as RawBuilder<number>;
  const { numUpdatedRows } = await tx
    .updateTable("deliveries")
    .set({ status: "EXHAUSTED", due_at: null, last_reason: "no-connection" })
    .where("delivery_id", "in", ({ selectFrom }) =>
      selectFrom("deliveries")
        .select("delivery_id")
        .where("app_id", "=", appId)
        .where("due_at", "is not", null)
        .where("due_at", "<=", now)
        // Before that, nothing can have waited too long.
        .where("due_at", "<=", now - holdMs + Math.max(0, ...retryDelaysMs))
        .where("socket", "=", sql.lit(1))
        .where("event_type", "=", eventType)
        .where("claimed", "=", 0)
        .where("due_at", "<=", latest)
        .limit(SLICE),
    )
    .where("claimed", "=", 0)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** When the next delivery of the application by socket becomes due after `now`; null when there is none. */
export async function nextSocketDueAt(db: Db, appId: string, now: number): Promise<number | null> {
  const row = await db
    .selectFrom("deliveries")
    .select((eb) => eb.fn.min("due_at").as("dueAt"))
    .where("app_id", "=", appId)
    .where("due_at", "is not", null)
    .where("socket", "=", sql.lit(1))
    .where("due_at", ">", now)
    .executeTakeFirst();
  return row?.dueAt ?? null;
}
