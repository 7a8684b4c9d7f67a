import type { Delivery, DeliveryState, EventType } from "@portico/protocol";
import { JsonText } from "../http/json-text.ts";
import type { Db } from "../storage/schema.ts";

/** Which of an application's deliveries; times are of the event, in epoch milliseconds, both ends included. */
export interface DeliveryFilter {
  status?: DeliveryState;
  eventType?: EventType;
  from?: number;
  to?: number;
}

/** As many attempts of a delivery are shown; each redelivery adds up to seven. */
const MAX_ATTEMPTS_SHOWN = 100;

const columns = [
  "event_id as eventId",
  "event_type as eventType",
  "status",
  "attempt_count as attemptCount",
  "created_at as createdAt",
  "due_at as dueAt",
  "claimed",
  "last_status as lastStatus",
  "last_reason as lastReason",
] as const;

type DeliveryRow = Omit<Delivery, "nextAttemptAt"> & { dueAt: number | null; claimed: number };

/** A page of the application's deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  appId: string,
  filter: DeliveryFilter,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<Delivery[]> {
  const rows = await selectDeliveries(db, appId, filter)
    .select(columns)
    .orderBy("delivery_id", "desc")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return rows.map(toDelivery);
}

/** How many deliveries there are, and the first and last delivery_id among them: 0 when there are none. */
export async function measureDeliveries(
  db: Db,
  appId: string,
  filter: DeliveryFilter,
): Promise<{ total: number; first: number; last: number }> {
  const { total, first, last } = await selectDeliveries(db, appId, filter)
    .select(({ fn }) => [
      fn.countAll<number>().as("total"),
      fn.min<number | null>("delivery_id").as("first"),
      fn.max<number | null>("delivery_id").as("last"),
    ])
    .executeTakeFirstOrThrow();
  return { total, first: first ?? 0, last: last ?? 0 };
}

/** How many deliveries there are. */
export async function countDeliveries(db: Db, appId: string, filter: DeliveryFilter): Promise<number> {
  const { total } = await selectDeliveries(db, appId, filter)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** The deliveries that a filter selects. All it looks at is in one index, so bodies are not read to count or skip them. */
function selectDeliveries(db: Db, appId: string, { status, eventType, from, to }: DeliveryFilter) {
  let query = db.selectFrom("deliveries").where("app_id", "=", appId);
  if (status !== undefined) query = query.where("status", "=", status);
  if (eventType !== undefined) query = query.where("event_type", "=", eventType);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (to !== undefined) query = query.where("created_at", "<=", to);
  return query;
}

/** One delivery of the application; null when it has none of that event. */
export async function findDelivery(db: Db, appId: string, eventId: string): Promise<Delivery | null> {
  const row = await db
    .selectFrom("deliveries")
    .select(columns)
    .where("event_id", "=", eventId)
    .where("app_id", "=", appId)
    .executeTakeFirst();
  return row === undefined ? null : toDelivery(row);
}

/** One delivery with the event's body as it is sent, and its newest attempts in their order; null when there is none. */
export async function findDeliveryWithAttempts(db: Db, appId: string, eventId: string) {
  const row = await db
    .selectFrom("deliveries")
    .select([...columns, "delivery_id", "body"])
    .where("event_id", "=", eventId)
    .where("app_id", "=", appId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...toDelivery(row), body: new JsonText(row.body), attempts: await listAttempts(db, row.delivery_id) };
}

async function listAttempts(db: Db, deliveryId: number) {
  const newest = await db
    .selectFrom("delivery_attempts")
    .select([
      "at",
      "address",
      "status",
      "reason",
      "duration_ms as durationMs",
      "phases",
      "answer",
      "next_attempt_at as nextAttemptAt",
    ])
    .where("delivery_id", "=", deliveryId)
    .orderBy("attempt", "desc")
    .limit(MAX_ATTEMPTS_SHOWN)
    .execute();
  return newest.reverse().map((attempt) => ({ ...attempt, phases: new JsonText(attempt.phases) }));
}

/** While a worker holds a delivery, `due_at` is the end of its lease. */
function toDelivery({ eventId, eventType, status, attemptCount, createdAt, ...row }: DeliveryRow): Delivery {
  const { dueAt, claimed, lastStatus, lastReason } = row;
  const nextAttemptAt = claimed === 1 ? null : dueAt;
  return { eventId, eventType, status, attemptCount, createdAt, nextAttemptAt, lastStatus, lastReason };
}
