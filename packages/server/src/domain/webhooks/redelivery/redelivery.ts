import { type ExpressionBuilder, sql } from "kysely";
import type { Db, Schema } from "../../../platform/storage/schema.ts";
import type { DeliveryFilter } from "../delivery-queries.ts";

/** Events named in one statement. */
const CHUNK = 100;

/**
 * What sending a delivery off anew changes: it is due at once with all its retries, and a new claim, so that whoever still
 * attempts it reports to nobody.
 */
function sentOffAnew(now: number) {
  return (eb: ExpressionBuilder<Schema, "deliveries">) => ({
    status: "PENDING" as const,
    retry_count: 0,
    due_at: now,
    claim: eb("claim", "+", 1),
    claimed: 0,
  });
}

/**
 * Which deliveries may be sent off anew. What was DROPPED must never be sent. What has nobody to go to at this moment would
 * be dropped for good as soon as it was claimed, so it stays as it is, for when somebody listens again.
 */
function mayBeSentOffAnew({ and, eb, exists, selectFrom }: ExpressionBuilder<Schema, "deliveries">) {
  const listener = selectFrom("subscriptions")
    .innerJoin("apps", "apps.app_id", "subscriptions.app_id")
    .select(sql`1`.as("one"))
    .whereRef("subscriptions.app_id", "=", "deliveries.app_id")
    .whereRef("subscriptions.event_type", "=", "deliveries.event_type")
    .where("subscriptions.status", "=", "ACTIVE")
    .where("apps.status", "=", "ACTIVE");
  return and([eb("deliveries.status", "<>", "DROPPED"), exists(listener)]);
}

/**
 * Sends those of the application's deliveries of these events off anew that may be: the application is ACTIVE and has an
 * ACTIVE subscription to the event, which was not dropped. Answers with their number.
 */
export async function redeliver(tx: Db, appId: string, eventIds: Iterable<string>, now: number): Promise<number> {
  const distinct = [...new Set(eventIds)];
  let redelivered = 0;
  for (let start = 0; start < distinct.length; start += CHUNK) {
    const chunk = distinct.slice(start, start + CHUNK);
    // Filled up with what is in it already: the statement is then always the same one, and prepared once.
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

/** Like {@link redeliver}, of those deliveries of a span of delivery_ids that the filter selects. */
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

/** Deliveries that may wait for an application before a job adds more. */
const MAX_BACKLOG = 1_000;
/** What is due within this time counts as waiting, so that what an open circuit has put off does too. */
const BACKLOG_WITHIN_MS = 60_000;

/** Whether the application has as much to be delivered as should wait at a time. */
export async function hasBacklog(db: Db, appId: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("deliveries")
    .select(sql`1`.as("one"))
    .where("app_id", "=", appId)
    .where("due_at", "is not", null)
    .where("due_at", "<=", now + BACKLOG_WITHIN_MS)
    .limit(1)
    .offset(MAX_BACKLOG - 1)
    .executeTakeFirst();
  return row !== undefined;
}
