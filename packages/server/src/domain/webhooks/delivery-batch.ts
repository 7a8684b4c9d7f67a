import type { DeliveryState } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { RecordedResult } from "./attempts/attempt-result.ts";
import type { ClaimedDelivery, DeliveryVerdict } from "./claimed-delivery.ts";

/*
 * The statements of delivery-store.ts and settle-claims.ts for many deliveries at once, on PostgreSQL.
 */

/** Claims due deliveries to webhooks; those that others have locked are skipped. Their order is not that of their times. */
export const takeDue = prepared<{ appId: string; now: number; limit: number; leaseEnd: number }>()((db, param) => ({
  compile: () =>
    sql<ClaimedDelivery>`
      with due as materialized (
        select delivery_id, due_at from deliveries
        where app_id = ${param("appId")} and due_at <= ${param("now")} and socket = 0
        order by due_at, delivery_id limit ${param("limit")}
        for update skip locked
      )
      update deliveries set claim = claim + 1, claimed = 1, due_at = ${param("leaseEnd")}
      from due where deliveries.delivery_id = due.delivery_id
      returning deliveries.delivery_id as "deliveryId", claim, event_id as "eventId", event_type as "eventType", body,
        retry_count as "retryCount", due.due_at as "dueAt"
    `.compile(db),
}));

/** An attempt that was made under a claim. */
export interface MadeAttempt {
  deliveryId: number;
  claim: number;
  result: RecordedResult;
  verdict: DeliveryVerdict;
}

/** Columns of attempts, for {@link settleAll}. */
export function attemptColumns(made: readonly MadeAttempt[]) {
  return {
    deliveryIds: made.map(({ deliveryId }) => deliveryId),
    claims: made.map(({ claim }) => claim),
    states: made.map(({ verdict }): DeliveryState => verdict.status),
    dueTimes: made.map(({ verdict }) => verdict.dueAt),
    retryCounts: made.map(({ verdict }) => verdict.retryCount),
    times: made.map(({ result }) => result.at),
    addresses: made.map(({ result }) => result.address),
    statuses: made.map(({ result }) => result.status),
    reasons: made.map(({ result }) => result.reason),
    details: made.map(({ result }) => result.detail),
    durations: made.map(({ result }) => Math.round(result.durationMs)),
    phases: made.map(({ result }) => JSON.stringify(result.phases)),
    answers: made.map(({ result }) => result.answer),
    nextTimes: made.map(({ verdict }) => verdict.nextAttemptAt),
  };
}

/**
 * Records attempts of one application's deliveries with the states that follow from them, and resets the failures of
 * subscriptions that have answered. Returns those whose claims were still held; the others change nothing.
 */
export const settleAll = prepared<{ appId: string } & ReturnType<typeof attemptColumns>>()((db, param) => ({
  compile: () =>
    sql<{ deliveryId: number; claim: number; attempt: number }>`
      with settled as (
        update deliveries set status = made.state, due_at = made.due_at, retry_count = made.retry_count, claimed = 0,
          ends = 0, attempt_count = attempt_count + 1, last_status = made.status, last_reason = made.reason
        from unnest(${param("deliveryIds")}::bigint[], ${param("claims")}::integer[], ${param("states")}::text[],
          ${param("dueTimes")}::bigint[], ${param("retryCounts")}::integer[], ${param("times")}::bigint[],
          ${param("addresses")}::text[], ${param("statuses")}::integer[], ${param("reasons")}::text[],
          ${param("details")}::text[], ${param("durations")}::integer[], ${param("phases")}::text[],
          ${param("answers")}::text[], ${param("nextTimes")}::bigint[])
          as made(delivery_id, claim, state, due_at, retry_count, at, address, status, reason, detail, duration_ms, phases,
            answer, next_attempt_at)
        where deliveries.delivery_id = made.delivery_id and deliveries.claim = made.claim and claimed = 1
        returning deliveries.delivery_id, deliveries.claim, event_type, attempt_count, made.state, made.at, made.address,
          made.status, made.reason, made.detail, made.duration_ms, made.phases, made.answer, made.next_attempt_at
      ), recorded as (
        insert into delivery_attempts (delivery_id, attempt, at, address, status, reason, detail, duration_ms, phases,
          answer, next_attempt_at)
        select delivery_id, attempt_count, at, address, status, reason, detail, duration_ms, phases, answer,
          next_attempt_at from settled
      ), answered as (
        -- In the order of other transactions that lock several, which is that of the index: so this is no join.
        select app_id, event_type from subscriptions
        where app_id = ${param("appId")} and failure_count > 0
          and array(select event_type from settled where state = 'DELIVERED') @> array[event_type]
        order by app_id, event_type for update
      ), reset as (
        update subscriptions set failure_count = 0 from answered
        where subscriptions.app_id = answered.app_id and subscriptions.event_type = answered.event_type
      )
      select delivery_id as "deliveryId", claim, attempt_count as attempt from settled
    `.compile(db),
}));
