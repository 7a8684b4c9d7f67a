import { type ExpressionBuilder, sql } from "kysely";
import type { Db, Schema } from "../../../platform/storage/schema.ts";
import type { DeliveryFilter } from "../delivery-queries.ts";

/** Events per statement. */
const CHUNK = 100;

/**
 * The changes by which a delivery is sent again: it is due at once with all its retries, under a new claim and in a new
 * round, so that a worker that still attempts the old one reports in vain. Whether it goes to a socket is found out when
 * it is claimed.
 */
function sentOffAnew(now: number) {
  return (eb: ExpressionBuilder<Schema, "deliveries">) => ({
    status: "PENDING" as const,
    retry_count: 0,
    due_at: now,
    claim: eb("claim", "+", 1),
    claimed: 0,
    socket: 0,
    ends: 0,
    round: eb("round", "+", 1),
  });
}

/**
 * The deliveries that may be redelivered: never those that are DROPPED, and only those that have a receiver now; the
 * others would be dropped as soon as they were claimed, so they stay unchanged until there is a receiver again.
 */
function mayBeSentOffAnew({ and, or, eb, exists, selectFrom }: ExpressionBuilder<Schema, "deliveries">) {
  const listener = selectFrom("subscriptions")
    .innerJoin("apps", "apps.app_id", "subscriptions.app_id")
    .select(sql`1`.as("one"))
    .whereRef("subscriptions.app_id", "=", "deliveries.app_id")
    .whereRef("subscriptions.event_type", "=", "deliveries.event_type")
    .where("subscriptions.status", "=", "ACTIVE")
    .where("apps.status", "=", "ACTIVE");
  const taker = selectFrom("socket_takes")
    .innerJoin("apps", "apps.app_id", "socket_takes.app_id")
    .select(sql`1`.as("one"))
    .whereRef("socket_takes.app_id", "=", "deliveries.app_id")
    .whereRef("socket_takes.event_type", "=", "deliveries.event_type")
    .where("apps.status", "=", "ACTIVE");
  return and([eb("deliveries.status", "<>", "DROPPED"), or([exists(listener), exists(taker)])]);
}

/**
 * Redelivers these events of the application where allowed: the application is ACTIVE, it has an ACTIVE subscription to
 * the event, and the delivery was not dropped. Returns their number.
 */
export async function redeliver(tx: Db, appId: string, eventIds: Iterable<string>, now: number): Promise<number> {
  const distinct = [...new Set(eventIds)];
  let redelivered = 0;
  for (let start = 0; start < distinct.length; start += CHUNK) {
    const chunk = distinct.slice(start, start + CHUNK);
    // Padded with an element that it has already: the statement is then always the same and prepared once.
    const filled = Array.from({ length: CHUNK }, (_, index) => chunk[index % chunk.length] ?? "");
    const { numUpdatedRows } = await tx
      .updateTable("deliveries")
      .set(sentOffAnew(now))
      .where("event_id", "in", filled)
      .where("app_id", "=", appId)
      .where(mayBeSentOffAnew)
      .executeTakeFirst();
    redelivered += Number(numUpdatedRows);
  }
  return redelivered;
}

/** Like {@link redeliver}, for those deliveries in a range of delivery_ids that the filter selects. */
export async function redeliverSpan(
  tx: Db,
  appId: string,
  { after, upTo, filter }: { after: number; upTo: number; filter: DeliveryFilter },
  now: number,
): Promise<number> {
  const { status, eventType, from, to } = filter;
  let update = tx
    .updateTable("deliveries")
    .set(sentOffAnew(now))
    .where("app_id", "=", appId)
    .where("delivery_id", ">", after)
    .where("delivery_id", "<=", upTo)
    .where(mayBeSentOffAnew);
  if (status !== undefined) update = update.where("status", "=", status);
  if (eventType !== undefined) update = update.where("event_type", "=", eventType);
  if (from !== undefined) update = update.where("created_at", ">=", from);
  if (to !== undefined) update = update.where("created_at", "<=", to);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The most pending deliveries of an application to which a job adds more. */
const MAX_BACKLOG = 1_000;
/** Deliveries due within this time count as pending, so that those behind an open circuit do. */
const BACKLOG_WITHIN_MS = 60_000;

/** Whether the application has the maximum number of pending deliveries, to webhooks or by socket. */
export async function hasBacklog(db: Db, appId: string, now: number): Promise<boolean> {
  for (const socket of [0, 1]) {
    const row = await db
      .selectFrom("deliveries")
      .select(sql`1`.as("one"))
      .where("app_id", "=", appId)
      .where("due_at", "is not", null)
      .where("socket", "=", sql.lit(socket))
      .where("due_at", "<=", now + BACKLOG_WITHIN_MS)
      .limit(1)
      .offset(MAX_BACKLOG - 1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}
