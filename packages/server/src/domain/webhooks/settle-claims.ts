import type { DeliveryState, DropReason } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";
import type { RecordedResult } from "./attempts/attempt-result.ts";
import type { ClaimedDelivery, DeliveryVerdict } from "./claimed-delivery.ts";
import { attemptColumns, settleAll } from "./delivery-batch.ts";
import { laneOf } from "./delivery-lane.ts";
import { passToSocket, release } from "./delivery-store.ts";
import { type AttemptCount, countAttempts } from "./subscription-store.ts";

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
      ends: 0,
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

/** The most attempts that are kept per delivery, which may be redelivered any number of times. */
const MAX_ATTEMPTS_KEPT = 100;

/** The outcome of a claimed delivery. */
export type Outcome =
  /** An attempt, and the resulting state; the application's circuit counts it unless it is spared. */
  | { result: RecordedResult; verdict: DeliveryVerdict; isSpared?: boolean }
  /** No attempt: the reason why there is no receiver. */
  | { dropped: DropReason }
  /** No attempt, for a reason on our side: when it is due again, in epoch milliseconds. */
  | { postponedTo: number }
  /** No attempt: it goes by socket. */
  | { toSocket: true }
  /** Nothing to record: the claim has ended by another transaction. */
  | { endedElsewhere: true };

/** A claim to end, and its outcome. */
export interface Settlement {
  delivery: Pick<ClaimedDelivery, "deliveryId" | "claim" | "eventType" | "dueAt">;
  outcome: Outcome;
}

/**
 * Ends claims of one application, on disk: {@link settleClaims}, or, for nothing but successes on PostgreSQL, the same
 * in one statement.
 */
export async function recordOutcomes(
  storage: Pick<Storage, "dialect" | "write" | "writeStatement">,
  appId: string,
  settlements: readonly Settlement[],
): Promise<void> {
  const delivered = settlements.flatMap(({ delivery: { deliveryId, claim }, outcome }) =>
    "result" in outcome && outcome.verdict.status === "DELIVERED" ? [{ deliveryId, claim, ...outcome }] : [],
  );
  if (storage.dialect !== "postgres" || delivered.length < settlements.length) {
    await storage.write((tx) => settleClaims(tx, storage.dialect, appId, settlements), laneOf(appId));
    return;
  }
  const columns = { appId, ...attemptColumns(delivered) };
  const settled = await storage.writeStatement(async (db) => await settleAll.rows(db, columns));
  const full = settled.filter(({ attempt }) => attempt > MAX_ATTEMPTS_KEPT);
  if (full.length === 0) return;
  await storage.write(async (tx) => {
    for (const { deliveryId, attempt } of full) await forgetOldAttempts(tx, deliveryId, attempt);
  }, laneOf(appId));
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
  const isTogether = dialect === "postgres";
  const attempts = await (isTogether ? settleTogether(tx, appId, settlements) : settleEach(tx, settlements));
  await countAttempts(tx, appId, attempted(settlements, attempts), { areReset: isTogether });
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

/**
 * The same in one statement, which also resets the failures of subscriptions that have answered; claims that end without
 * an attempt are rare.
 */
async function settleTogether(tx: Db, appId: string, settlements: readonly Settlement[]): Promise<(number | null)[]> {
  const made = settlements.flatMap(({ delivery: { deliveryId, claim }, outcome }) =>
    "result" in outcome ? [{ deliveryId, claim, ...outcome }] : [],
  );
  const settled = made.length === 0 ? [] : await settleAll.rows(tx, { appId, ...attemptColumns(made) });
  const settledOf = new Map(settled.map((row) => [row.deliveryId, row]));
  // A delivery may be in the list twice: under a claim that was lost, and under the one that took its place.
  const attemptOf = ({ deliveryId, claim }: { deliveryId: number; claim: number }) => {
    const row = settledOf.get(deliveryId);
    return row?.claim === claim ? row.attempt : null;
  };
  await Promise.all(settled.map(({ deliveryId, attempt }) => forgetOldAttempts(tx, deliveryId, attempt)));
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
  if ("toSocket" in outcome) {
    return (await passToSocket.affected(tx, { deliveryId, claim, dueAt: delivery.dueAt })) === 1 ? 0 : null;
  }
  if ("endedElsewhere" in outcome) return null;
  const { status: lastStatus, reason: lastReason } = outcome.result;
  const { status, dueAt, retryCount } = outcome.verdict;
  const row = await settle.first(tx, { deliveryId, claim, status, dueAt, retryCount, lastStatus, lastReason });
  return row?.attempt ?? null;
}

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
  { result, verdict }: { result: RecordedResult; verdict: DeliveryVerdict },
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
