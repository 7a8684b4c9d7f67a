import { randomBytes } from "node:crypto";
import { EVENT_SCOPES, type EventHead, type EventType, type Scope } from "@portico/protocol";
import { writeJson } from "../../platform/http/json-text.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** An event for an application. */
export interface NewEvent<Type extends EventType> {
  eventType: Type;
  appId: string;
  /** The members of the body after its head; may contain JsonTexts. */
  payload: object;
  /** In epoch milliseconds. */
  now: number;
}

const selectListener = prepared<{ appId: string; eventType: EventType; scope: Scope }>()((db, param) =>
  db
    .selectFrom("apps")
    .leftJoin("subscriptions", (join) =>
      join.onRef("subscriptions.app_id", "=", "apps.app_id").on("event_type", "=", param("eventType")),
    )
    .leftJoin("app_scopes", (join) =>
      join.onRef("app_scopes.app_id", "=", "apps.app_id").on("scope", "=", param("scope")).on("state", "=", "GRANTED"),
    )
    .select(["apps.tenant_id as tenantId", "apps.status", "scope", "subscriptions.status as subscription"])
    .where("apps.app_id", "=", param("appId")),
);

const insertDelivery = prepared<{
  eventId: string;
  appId: string;
  eventType: EventType;
  body: string;
  status: "PENDING" | "DROPPED";
  now: number;
  dueAt: number | null;
}>()((db, param) =>
  db.insertInto("deliveries").values({
    event_id: param("eventId"),
    app_id: param("appId"),
    event_type: param("eventType"),
    body: param("body"),
    status: param("status"),
    created_at: param("now"),
    due_at: param("dueAt"),
    claim: 0,
    claimed: 0,
    attempt_count: 0,
    retry_count: 0,
    last_status: null,
    last_reason: null,
  }),
);

/**
 * Writes an event to the outbox, in the transaction of the change it reports. An active application that holds the
 * scope gets one row: PENDING if its subscription is active, else DROPPED, because it is never sent later.
 *
 * @returns whether there is something to deliver; wake the dispatcher after the commit.
 */
export async function emit<Type extends EventType>(tx: Db, event: NewEvent<Type>): Promise<boolean> {
  const { eventType, appId, payload, now } = event;
  const scope: Scope | null = EVENT_SCOPES[eventType];
  // No scope has the empty name. An event without required scope is not checked for one.
  const listener = await selectListener.first(tx, { appId, eventType, scope: scope ?? ("" as Scope) });
  if (listener?.status !== "ACTIVE" || (scope !== null && listener.scope === null)) return false;
  const eventId = `evt_${randomBytes(16).toString("base64url")}`;
  const head: EventHead<Type> = { eventId, eventType, appId, tenantId: listener.tenantId, createTime: now };
  const active = listener.subscription === "ACTIVE";
  await insertDelivery.affected(tx, {
    eventId,
    appId,
    eventType,
    body: writeJson({ ...head, ...payload }),
    status: active ? "PENDING" : "DROPPED",
    now,
    dueAt: active ? now : null,
  });
  return active;
}
