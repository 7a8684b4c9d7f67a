import { setImmediate } from "node:timers/promises";
import type { Delivery, DeliveryState, EventType } from "@portico/protocol";
import type { ExpressionBuilder } from "kysely";
import { JsonText } from "../../platform/http/json-text.ts";
import type { Db, Schema } from "../../platform/storage/schema.ts";

/** A filter of an application's deliveries. Times are those of the event, in epoch milliseconds, both ends included. */
export interface DeliveryFilter {
  status?: DeliveryState;
  eventType?: EventType;
  from?: number;
  to?: number;
}

/** The most attempts shown per delivery; each redelivery adds up to seven. */
const MAX_ATTEMPTS_SHOWN = 100;

/**
 * The deliveries per statement. SQLite runs it in this thread, where 10,000 take 1 to 3 ms; an application may have a
 * million.
 */
const SLICE = 10_000;

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

/** A page of the application's deliveries, newest first, and their total number. */
export async function listDeliveries(
  db: Db,
  appId: string,
  filter: DeliveryFilter,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ items: Delivery[]; total: number }> {
  const items: Delivery[] = [];
  let total = 0;
  let toSkip = (page - 1) * pageSize;
  for await (const slice of slicesOf(db, appId, filter)) {
    total += slice.selected;
    const limit = pageSize - items.length;
    if (limit > 0 && toSkip < slice.selected) {
      items.push(...(await listWithin(db, appId, filter, slice, { offset: toSkip, limit })));
    }
    toSkip = Math.max(0, toSkip - slice.selected);
  }
  return { items, total };
}

/** The number of deliveries, and the first and last delivery_id among them, 0 when there are none. */
export async function measureDeliveries(
  db: Db,
  appId: string,
  filter: DeliveryFilter,
): Promise<{ total: number; first: number; last: number }> {
  const measure = { total: 0, first: 0, last: 0 };
  for await (const { selected, first, last } of slicesOf(db, appId, filter)) {
    measure.total += selected;
    measure.first = first ?? measure.first;
    measure.last = Math.max(measure.last, last ?? 0);
  }
  return measure;
}

/** A range of an application's deliveries, by delivery_id. */
interface Slice {
  lowest: number;
  highest: number;
  /** The number of selected deliveries, and the first and last of their ids. */
  selected: number;
  first: number | null;
  last: number | null;
}

/**
 * The application's deliveries in slices, newest first, with the number that the filter selects in each. Whatever the
 * filter, a statement reads at most one slice, and other work runs in between.
 */
async function* slicesOf(db: Db, appId: string, filter: DeliveryFilter): AsyncGenerator<Slice> {
  for (let below = Number.MAX_SAFE_INTEGER; ; await setImmediate()) {
    const { size, lowest, highest, ...rest } = await measureSlice(db, appId, filter, below);
    if (lowest === null || highest === null) return;
    yield { lowest, highest, ...rest };
    if (size < SLICE) return;
    below = lowest;
  }
}

/** All its columns are in one index, so that no bodies are read. */
function measureSlice(db: Db, appId: string, filter: DeliveryFilter, below: number) {
  const slice = db
    .selectFrom("deliveries")
    .select(["delivery_id", "status", "event_type", "created_at"])
    .where("app_id", "=", appId)
    .where("delivery_id", "<", below)
    .orderBy("delivery_id", "desc")
    .limit(SLICE)
    .as("deliveries");
  return db
    .selectFrom(slice)
    .select(({ fn }) => [
      fn.countAll<number>().as("size"),
      fn.min<number | null>("delivery_id").as("lowest"),
      fn.max<number | null>("delivery_id").as("highest"),
      fn
        .countAll<number>()
        .filterWhere((eb) => isSelected(eb, filter))
        .as("selected"),
      fn
        .min<number | null>("delivery_id")
        .filterWhere((eb) => isSelected(eb, filter))
        .as("first"),
      fn
        .max<number | null>("delivery_id")
        .filterWhere((eb) => isSelected(eb, filter))
        .as("last"),
    ])
    .executeTakeFirstOrThrow();
}

async function listWithin(
  db: Db,
  appId: string,
  filter: DeliveryFilter,
  { lowest, highest }: Slice,
  { offset, limit }: { offset: number; limit: number },
): Promise<Delivery[]> {
  const rows = await db
    .selectFrom("deliveries")
    .select(columns)
    .where("app_id", "=", appId)
    .where("delivery_id", ">=", lowest)
    .where("delivery_id", "<=", highest)
    .where((eb) => isSelected(eb, filter))
    .orderBy("delivery_id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(toDelivery);
}

type FilteredColumns = Pick<Schema["deliveries"], "status" | "event_type" | "created_at">;

/** Whether a filter selects a delivery. */
function isSelected(eb: ExpressionBuilder<{ deliveries: FilteredColumns }, "deliveries">, filter: DeliveryFilter) {
  const { status, eventType, from, to } = filter;
  const conditions = [];
  if (status !== undefined) conditions.push(eb("status", "=", status));
  if (eventType !== undefined) conditions.push(eb("event_type", "=", eventType));
  if (from !== undefined) conditions.push(eb("created_at", ">=", from));
  if (to !== undefined) conditions.push(eb("created_at", "<=", to));
  return eb.and(conditions);
}

/** A delivery of the application by its event; null when there is none. */
export async function findDelivery(db: Db, appId: string, eventId: string): Promise<Delivery | null> {
  const row = await db
    .selectFrom("deliveries")
    .select(columns)
    .where("event_id", "=", eventId)
    .where("app_id", "=", appId)
    .executeTakeFirst();
  return row === undefined ? null : toDelivery(row);
}

/** A delivery with the event's body as sent, and its newest attempts in their order; null when there is none. */
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
      "detail",
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

/**
 * The delivery with `nextAttemptAt` by the clock of this machine, and no earlier than `until`, the time until which the
 * application's circuit is open.
 */
export function withShownTime<Shown extends Pick<Delivery, "nextAttemptAt">>(
  delivery: Shown,
  webhooks: { shown(dueAt: number): number },
  until: number | null,
): Shown {
  const { nextAttemptAt } = delivery;
  if (nextAttemptAt === null) return delivery;
  return { ...delivery, nextAttemptAt: webhooks.shown(Math.max(nextAttemptAt, until ?? 0)) };
}
