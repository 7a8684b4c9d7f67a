import type { EventType, Rehearsal, SubscriptionState, Transport } from "@portico/protocol";
import { sealedRows } from "../../platform/crypto/sealed-rows.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { rehearsalOf } from "../applications/rehearsal-store.ts";

/** A subscription with its secret still encrypted (docs/contract/events.md#subscribing). */
export interface Subscription {
  appId: string;
  eventType: EventType;
  transport: Transport;
  /** Null for the transport SOCKET. */
  callbackUrl: string | null;
  status: SubscriptionState;
  secretBox: string;
  failureCount: number;
  updatedAt: number;
}

const columns = [
  "app_id as appId",
  "event_type as eventType",
  "transport",
  "callback_url as callbackUrl",
  "status",
  "secret_box as secretBox",
  "failure_count as failureCount",
  "updated_at as updatedAt",
] as const;

const selectOfApp = prepared<{ appId: string }>()((db, param) =>
  db.selectFrom("subscriptions").select(columns).where("app_id", "=", param("appId")).orderBy("event_type"),
);

/** The application's subscriptions, by event type. */
export async function listSubscriptions(db: Db, appId: string): Promise<Subscription[]> {
  return await selectOfApp.rows(db, { appId });
}

/** The subscriptions of several applications, by event type. */
export async function listSubscriptionsOfEach(
  db: Db,
  appIds: readonly string[],
): Promise<Pick<Subscription, "appId" | "eventType" | "transport" | "callbackUrl">[]> {
  const rows = await db
    .selectFrom("subscriptions")
    .select(["app_id as appId", "event_type as eventType", "transport", "callback_url as callbackUrl"])
    .where("app_id", "in", appIds)
    .execute();
  return rows.sort((one, other) => (one.eventType < other.eventType ? -1 : 1));
}

/** The current receivers of an application's deliveries. */
export interface Recipients {
  /** Whether the application is ACTIVE. */
  active: boolean;
  /** All its subscriptions. */
  subscriptions: ReadonlyMap<EventType, Subscription>;
  /** The fault that its owner rehearses; it may have ended. */
  rehearsal: Rehearsal | null;
}

const selectActive = prepared<{ appId: string }>()((db, param) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("apps", "apps.app_id", "subscriptions.app_id")
    .select([
      "subscriptions.app_id as appId",
      "event_type as eventType",
      "transport",
      "callback_url as callbackUrl",
      "subscriptions.status",
      "secret_box as secretBox",
      "failure_count as failureCount",
      "subscriptions.updated_at as updatedAt",
      "apps.status as appStatus",
      "rehearsed_fault",
      "rehearsed_left",
      "rehearsed_until",
      "rehearsed_delay_ms",
    ])
    .where("subscriptions.app_id", "=", param("appId"))
    .where("apps.app_id", "=", param("appId")),
);
const selectStatus = prepared<{ appId: string }>()((db, param) =>
  db.selectFrom("apps").select("status").where("app_id", "=", param("appId")),
);

/** Reads the current receivers of an application's deliveries. Not cached. */
export async function getRecipients(db: Db, appId: string): Promise<Recipients> {
  const rows = await selectActive.rows(db, { appId });
  const appStatus = rows[0]?.appStatus ?? (await selectStatus.first(db, { appId }))?.status;
  return {
    active: appStatus === "ACTIVE",
    subscriptions: new Map(rows.map((subscription) => [subscription.eventType, subscription])),
    rehearsal: rows[0] === undefined ? null : rehearsalOf(rows[0], 0),
  };
}

/** One subscription; null when there is none. */
export async function findSubscription(db: Db, appId: string, eventType: EventType): Promise<Subscription | null> {
  return (await listSubscriptions(db, appId)).find((subscription) => subscription.eventType === eventType) ?? null;
}

/** Creates the subscription, or replaces everything but its failure count. */
export async function putSubscription(
  tx: Db,
  subscription: Omit<Subscription, "failureCount" | "updatedAt">,
  now: number,
): Promise<void> {
  const { appId, eventType, transport, callbackUrl, status, secretBox } = subscription;
  const said = { transport, callback_url: callbackUrl, status, secret_box: secretBox, updated_at: now };
  await tx
    .insertInto("subscriptions")
    .values({ app_id: appId, event_type: eventType, failure_count: 0, ...said })
    .onConflict((conflict) => conflict.columns(["app_id", "event_type"]).doUpdateSet(said))
    .execute();
}

/** Removes a subscription; false when there was none. */
export async function deleteSubscription(tx: Db, appId: string, eventType: EventType): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("subscriptions")
    .where("app_id", "=", appId)
    .where("event_type", "=", eventType)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The owner to which the secret of a subscription is bound when it is encrypted. */
export function secretOwner(appId: string, eventType: EventType): string {
  return `subscription:${appId}:${eventType}`;
}

export const SEALED_SUBSCRIPTIONS = sealedRows({
  name: "subscriptions",
  table: "subscriptions",
  keys: ["app_id", "event_type"],
  ownerOf: ([appId = "", eventType = ""]) => secretOwner(appId, eventType as EventType),
});

const resetFailures = prepared<{ appId: string; eventType: EventType }>()((db, param) =>
  db
    .updateTable("subscriptions")
    .set({ failure_count: 0 })
    .where("app_id", "=", param("appId"))
    .where("event_type", "=", param("eventType"))
    .where("failure_count", ">", 0),
);
const countFailures = prepared<{ appId: string; eventType: EventType; failures: number }>()((db, param) =>
  db
    .updateTable("subscriptions")
    .set((eb) => ({ failure_count: eb("failure_count", "+", param("failures")) }))
    .where("app_id", "=", param("appId"))
    .where("event_type", "=", param("eventType")),
);

/** An attempt, as counted for its subscription. */
export interface AttemptCount {
  eventType: EventType;
  success: boolean;
}

/**
 * Counts attempts in the order in which they ended; a success resets the number of failures.
 *
 * @param options.areReset whether the numbers of subscriptions with a success have been reset.
 */
export async function countAttempts(
  tx: Db,
  appId: string,
  attempts: readonly AttemptCount[],
  { areReset }: { areReset: boolean },
): Promise<void> {
  const succeeded = new Set<EventType>();
  const failures = new Map<EventType, number>();
  for (const { eventType, success } of attempts) {
    if (success) succeeded.add(eventType);
    failures.set(eventType, success ? 0 : (failures.get(eventType) ?? 0) + 1);
  }
  // Always in the same order, so that two transactions cannot deadlock.
  for (const [eventType, count] of [...failures].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (succeeded.has(eventType) && !areReset) await resetFailures.affected(tx, { appId, eventType });
    if (count > 0) await countFailures.affected(tx, { appId, eventType, failures: count });
  }
}
