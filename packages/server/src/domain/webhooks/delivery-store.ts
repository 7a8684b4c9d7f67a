import type { DeliveryState, DropReason } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import type { AttemptResult } from "./attempts/attempt.ts";
import type { ClaimedDelivery, DeliveryVerdict } from "./claimed-delivery.ts";
import { attemptColumns, insertAttempts, outcomeColumns, settleAll, takeDue } from "./delivery-batch.ts";
import { type AttemptCount, countAttempts } from "./subscription-store.ts";

/** The time at which the next delivery of each application is due, for applications that have any. */
export async function listDueApps(db: Db): Promise<{ appId: string; dueAt: number }[]> {
  // Skips from application to application in the index, regardless of the number of their deliveries.
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

/** When the next delivery of the application is due; null when it has none. */
export async function nextDueAt(db: Db, appId: string): Promise<number | null> {
  const row = await db
    .selectFrom("deliveries")
    .select((eb) => eb.fn.min("due_at").as("dueAt"))
    .where("app_id", "=", appId)
    .where("due_at", "is not", null)
    .executeTakeFirst();
  return row?.dueAt ?? null;
}

const selectDue = prepared<{ appId: string; now: number; limit: number }>()((db, param) =>
  db
    .selectFrom("deliveries")
    .select([
      "delivery_id as deliveryId",
      "claim",
      "event_id as eventId",
      "event_type as eventType",
      "body",
      "retry_count as retryCount",
      "due_at as dueAt",
    ])
    .where("app_id", "=", param("appId"))
    .where("due_at", "<=", param("now"))
    .orderBy("due_at")
    .orderBy("delivery_id")
    .limit(param("limit")),
);

const take = prepared<{ deliveryId: number; leaseEnd: number }>()((db, param) =>
  db
    .updateTable("deliveries")
    .set((eb) => ({ claim: eb("claim", "+", 1), claimed: 1, due_at: param("leaseEnd") }))
    .where("delivery_id", "=", param("deliveryId")),
);

/** Claims up to `limit` due deliveries, the oldest first, under a lease until `leaseEnd`. */
export async function claimDue(
  tx: Db,
  dialect: Dialect,
  { appId, limit, now, leaseEnd }: { appId: string; limit: number; now: number; leaseEnd: number },
): Promise<ClaimedDelivery[]> {
  if (dialect === "postgres") {
    const taken = await takeDue.rows(tx, { appId, now, limit, leaseEnd });
    return taken.sort((a, b) => a.dueAt - b.dueAt || a.deliveryId - b.deliveryId);
  }
  const due = await selectDue.rows(tx, { appId, now, limit });
  await Promise.all(due.map(({ deliveryId }) => take.affected(tx, { deliveryId, leaseEnd })));
  return due.map((row) => ({ ...row, claim: row.claim + 1, dueAt: row.dueAt ?? now }));
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

const drop = prepared<{ deliveryId: number; claim: number; reason: string }>()((db, param) =>
  db
    .updateTable("deliveries")
    .set({ status: "DROPPED", due_at: null, claimed: 0, last_reason: param("reason") })
    .where("delivery_id", "=", param("deliveryId"))
    .where("claim", "=", param("claim"))
    .where("claimed", "=", 1),
);

/** The outcome of a claimed delivery. */
export type Outcome =
  /** An attempt, and the resulting state. */
  | { result: AttemptResult; verdict: DeliveryVerdict }
  /** No attempt: the reason why there is no receiver. */
  | { dropped: DropReason }
  /** No attempt, for a reason on our side: when it is due again, in epoch milliseconds. */
  | { postponedTo: number };

/** A claim to end, and its outcome. */
export interface Settlement {
  delivery: Pick<ClaimedDelivery, "deliveryId" | "claim" | "eventType">;
  outcome: Outcome;
}

/**
 * Ends claims of one application: records each attempt with its delivery's new state, and counts failures per
 * subscription. All or nothing.
 *
 * @returns for each, whether the claim was still the worker's; if not, nothing of it was recorded.
 */
export async function settleClaims(
  tx: Db,
  dialect: Dialect,
  appId: string,
  settlements: readonly Settlement[],
): Promise<boolean[]> {
  const attempts = await (dialect === "postgres" ? settleTogether : settleEach)(tx, settlements);
  await countAttempts(tx, appId, attempted(settlements, attempts));
  return attempts.map((attempt) => attempt !== null);
}

/** Returns each delivery's number of attempts; null when the claim is no longer the worker's. */
async function settleEach(tx: Db, settlements: readonly Settlement[]): Promise<(number | null)[]> {
  const attempts = await Promise.all(settlements.map((settlement) => settleClaim(tx, settlement)));
  for (const [index, { delivery, outcome }] of settlements.entries()) {
    const attempt = attempts[index] ?? null;
    if (attempt !== null && "result" in outcome) await recordAttempt(tx, delivery.deliveryId, attempt, outcome);
  }
  return attempts;
}

/** The same in two statements; claims that end without an attempt are rare. */
async function settleTogether(tx: Db, settlements: readonly Settlement[]): Promise<(number | null)[]> {
  const made = settlements.flatMap(({ delivery: { deliveryId, claim }, outcome }) =>
    "result" in outcome ? [{ deliveryId, claim, ...outcome }] : [],
  );
  const settled = made.length === 0 ? [] : await settleAll.rows(tx, outcomeColumns(made));
  const settledOf = new Map(settled.map((row) => [row.deliveryId, row]));
  // A delivery may be in the list twice: under a claim that was lost, and under the one that took its place.
  const attemptOf = ({ deliveryId, claim }: { deliveryId: number; claim: number }) => {
    const row = settledOf.get(deliveryId);
    return row?.claim === claim ? row.attempt : null;
  };
  const recorded = made.flatMap((one) => {
    const attempt = attemptOf(one);
    return attempt === null ? [] : [{ ...one, attempt }];
  });
  await Promise.all(recorded.map(({ deliveryId, attempt }) => forgetOldAttempts(tx, deliveryId, attempt)));
  if (recorded.length > 0) await insertAttempts.affected(tx, attemptColumns(recorded));
  return await Promise.all(
    settlements.map((settlement) => {
      const { delivery, outcome } = settlement;
      return "result" in outcome ? attemptOf(delivery) : settleClaim(tx, settlement);
    }),
  );
}

/** Returns the delivery's number of attempts; null when the claim is no longer the worker's. */
async function settleClaim(tx: Db, { delivery, outcome }: Settlement): Promise<number | null> {
  const { deliveryId, claim } = delivery;
  if ("dropped" in outcome) {
    return (await drop.affected(tx, { deliveryId, claim, reason: outcome.dropped })) === 1 ? 0 : null;
  }
  if ("postponedTo" in outcome) {
    return (await release.affected(tx, { deliveryId, claim, dueAt: outcome.postponedTo })) === 1 ? 0 : null;
  }
  const { status: lastStatus, reason: lastReason } = outcome.result;
  const { status, dueAt, retryCount } = outcome.verdict;
  const row = await settle.first(tx, { deliveryId, claim, status, dueAt, retryCount, lastStatus, lastReason });
  return row?.attempt ?? null;
}

/** The most attempts that are kept per delivery, which may be redelivered any number of times. */
const MAX_ATTEMPTS_KEPT = 100;

const deleteAttempts = prepared<{ deliveryId: number; upTo: number }>()((db, param) =>
  db
    .deleteFrom("delivery_attempts")
    .where("delivery_id", "=", param("deliveryId"))
    .where("attempt", "<=", param("upTo")),
);

async function recordAttempt(
  tx: Db,
  deliveryId: number,
  attempt: number,
  { result, verdict }: { result: AttemptResult; verdict: DeliveryVerdict },
): Promise<void> {
  await forgetOldAttempts(tx, deliveryId, attempt);
  const { status, reason, phases, at, address, detail, answer } = result;
  await insertAttempt.affected(tx, {
    deliveryId,
    attempt,
    at,
    address,
    status,
    reason,
    detail,
    durationMs: Math.round(result.durationMs),
    phases: JSON.stringify(phases),
    answer,
    nextAttemptAt: verdict.nextAttemptAt,
  });
}

async function forgetOldAttempts(tx: Db, deliveryId: number, attempt: number): Promise<void> {
  const upTo = attempt - MAX_ATTEMPTS_KEPT;
  if (upTo > 0) await deleteAttempts.affected(tx, { deliveryId, upTo });
}

/** The recorded attempts in their order, and whether they succeeded. */
function attempted(settlements: readonly Settlement[], attempts: readonly (number | null)[]): AttemptCount[] {
  return settlements.flatMap(({ delivery: { eventType }, outcome }, index) =>
    attempts[index] === null || !("result" in outcome)
      ? []
      : [{ eventType, success: outcome.verdict.status === "DELIVERED" }],
  );
}

const release = prepared<{ deliveryId: number; claim: number; dueAt: number }>()((db, param) =>
  db
    .updateTable("deliveries")
    .set({ claimed: 0, due_at: param("dueAt") })
    .where("delivery_id", "=", param("deliveryId"))
    .where("claim", "=", param("claim"))
    .where("claimed", "=", 1),
);

/** Releases unused claims: the deliveries are due again since their earlier time. */
export async function releaseClaims(
  tx: Db,
  claims: readonly Pick<ClaimedDelivery, "deliveryId" | "claim" | "dueAt">[],
): Promise<void> {
  await Promise.all(claims.map(({ deliveryId, claim, dueAt }) => release.affected(tx, { deliveryId, claim, dueAt })));
}
