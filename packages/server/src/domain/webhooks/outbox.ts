import {
  type AppState,
  type DropReason,
  EVENT_SCOPES,
  type EventHead,
  type EventType,
  type Scope,
  type SubscriptionState,
  type Transport,
} from "@portico/protocol";
import { sql } from "kysely";
import { writeJson } from "../../platform/http/json-text.ts";
import { joint } from "../../platform/storage/joint.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { HandOver, NewClaim } from "./dispatcher/hand-over.ts";
import { newEventId } from "./event-id.ts";

/** An event for an application. */
interface NewEvent<Type extends EventType> {
  eventType: Type;
  /** The members of the body after its head; may contain JsonTexts. */
  payload: object;
  /** In epoch milliseconds. */
  now: number;
  /** When it is due: Webhooks.dueNow(). */
  dueNow: number;
  /** What its events have an order within; null for none. */
  conversation: string | null;
}

/** An application that gets events of a type. */
export interface Listener {
  appId: string;
  tenantId: string;
  /** Why its events are dropped; null when its subscription is active, or a connection takes the type. */
  dropReason: DropReason | null;
  /** Whether they wait for a socket. */
  isBySocket: boolean;
}

interface ListenerKey extends Record<string, unknown> {
  appId: string;
  eventType: EventType;
  scope: Scope;
}

/** What decides whether an application gets an event; its scope is null when it does not hold it. */
interface ListenerRow {
  tenantId: string;
  status: AppState;
  scope: string | null;
  subscription: SubscriptionState | null;
  transport: Transport | null;
  /** 1 when a connection takes events of this type. */
  taken: number;
}

const selectListener = prepared<ListenerKey>()((db, param) =>
  db
    .selectFrom("apps")
    .leftJoin("subscriptions", (join) =>
      join.onRef("subscriptions.app_id", "=", "apps.app_id").on("subscriptions.event_type", "=", param("eventType")),
    )
    .leftJoin("app_scopes", (join) =>
      join.onRef("app_scopes.app_id", "=", "apps.app_id").on("scope", "=", param("scope")).on("state", "=", "GRANTED"),
    )
    .select(["apps.tenant_id as tenantId", "apps.status", "scope", "subscriptions.status as subscription", "transport"])
    .select(({ exists, selectFrom, case: when }) =>
      when()
        .when(
          exists(
            selectFrom("socket_takes")
              .select(sql`1`.as("one"))
              .whereRef("socket_takes.app_id", "=", "apps.app_id")
              .where("socket_takes.event_type", "=", param("eventType")),
          ),
        )
        .then(sql.lit(1))
        .else(sql.lit(0))
        .end()
        .as("taken"),
    )
    .where("apps.app_id", "=", param("appId")),
);

const findRow = joint<ListenerKey, ListenerRow | undefined>({
  alone: (tx, key) => selectListener.first(tx, key),
  async joint(tx, all) {
    const rows = await selectListeners.rows(tx, {
      appIds: all.map(({ appId }) => appId),
      types: all.map(({ eventType }) => eventType),
      scopes: all.map(({ scope }) => scope),
    });
    const found = new Map(rows.map(({ n, ...row }) => [n, row]));
    return all.map((_, index) => found.get(index + 1));
  },
});

const selectListeners = prepared<{ appIds: string[]; types: string[]; scopes: string[] }>()((db, param) => ({
  compile: () =>
    sql<ListenerRow & { n: number }>`
      select n, apps.tenant_id as "tenantId", apps.status, app_scopes.scope, subscriptions.status as subscription,
        transport, exists(select from socket_takes where socket_takes.app_id = asked.app_id
          and socket_takes.event_type = asked.type)::int as taken
      from unnest(${param("appIds")}::text[], ${param("types")}::text[], ${param("scopes")}::text[])
        with ordinality as asked(app_id, type, scope, n)
      join apps on apps.app_id = asked.app_id
      left join subscriptions on subscriptions.app_id = asked.app_id and subscriptions.event_type = asked.type
      left join app_scopes on app_scopes.app_id = asked.app_id and app_scopes.scope = asked.scope
        and app_scopes.state = 'GRANTED'
    `.compile(db),
}));

interface NewDelivery extends Record<string, unknown> {
  /** 1 when it is written under a claim, else 0. */
  claim: 0 | 1;
  eventId: string;
  appId: string;
  eventType: EventType;
  body: string;
  status: "PENDING" | "DROPPED";
  now: number;
  dueAt: number | null;
  lastReason: DropReason | null;
  socket: number;
  conversation: string | null;
  /** Is told the id. */
  newClaim: NewClaim | null;
}

const insert = joint<NewDelivery, void>({
  alone: async (tx, delivery) => {
    noteId(delivery, await insertDelivery.first(tx, delivery));
  },
  async joint(tx, all) {
    const rows = await insertDeliveries.rows(tx, {
      eventIds: all.map(({ eventId }) => eventId),
      appIds: all.map(({ appId }) => appId),
      types: all.map(({ eventType }) => eventType),
      bodies: all.map(({ body }) => body),
      statuses: all.map(({ status }) => status),
      times: all.map(({ now }) => now),
      dueTimes: all.map(({ dueAt }) => dueAt),
      reasons: all.map(({ lastReason }) => lastReason),
      sockets: all.map(({ socket }) => socket),
      conversations: all.map(({ conversation }) => conversation),
      claims: all.map(({ claim }) => claim),
    });
    const inserted = new Map(rows.map((row) => [row.eventId, row]));
    for (const delivery of all) noteId(delivery, inserted.get(delivery.eventId));
    return all.map(() => undefined);
  },
  changed: () => true,
  isTold: true,
});

function noteId({ newClaim }: NewDelivery, row: { deliveryId: number } | undefined): void {
  if (newClaim !== null && row !== undefined) newClaim.deliveryId = row.deliveryId;
}

const insertDeliveries = prepared<{
  eventIds: string[];
  appIds: string[];
  types: string[];
  bodies: string[];
  statuses: string[];
  times: number[];
  dueTimes: (number | null)[];
  reasons: (string | null)[];
  sockets: number[];
  conversations: (string | null)[];
  claims: number[];
}>()((db, param) => ({
  compile: () =>
    sql<{ eventId: string; deliveryId: number }>`
      insert into deliveries (event_id, app_id, event_type, body, status, created_at, due_at, claim, claimed,
        attempt_count, retry_count, last_reason, socket, conversation)
      select event_id, app_id, type, body, status, created_at, due_at, claim, claim, 0, 0, last_reason, socket, conversation
      from unnest(${param("eventIds")}::text[], ${param("appIds")}::text[], ${param("types")}::text[],
        ${param("bodies")}::text[], ${param("statuses")}::text[], ${param("times")}::bigint[],
        ${param("dueTimes")}::bigint[], ${param("sockets")}::integer[], ${param("conversations")}::text[],
        ${param("claims")}::integer[], ${param("reasons")}::text[])
        as event(event_id, app_id, type, body, status, created_at, due_at, socket, conversation, claim, last_reason)
      returning event_id as "eventId", delivery_id as "deliveryId"
    `.compile(db),
}));

const insertDelivery = prepared<NewDelivery>()((db, param) =>
  db
    .insertInto("deliveries")
    .values({
      event_id: param("eventId"),
      app_id: param("appId"),
      event_type: param("eventType"),
      body: param("body"),
      status: param("status"),
      created_at: param("now"),
      due_at: param("dueAt"),
      claim: param("claim"),
      claimed: param("claim"),
      attempt_count: 0,
      retry_count: 0,
      last_status: null,
      last_reason: param("lastReason"),
      socket: param("socket"),
      conversation: param("conversation"),
    })
    .returning("delivery_id as deliveryId"),
);

/**
 * The application as a listener of a type of events; null when it gets none: it is not active, or does not hold the scope.
 */
export async function findListener(tx: Db, appId: string, eventType: EventType): Promise<Listener | null> {
  const scope: Scope | null = EVENT_SCOPES[eventType];
  // No scope has the empty name. An event without required scope is not checked for one.
  const row = await findRow(tx, { appId, eventType, scope: scope ?? ("" as Scope) });
  if (row?.status !== "ACTIVE" || (scope !== null && row.scope === null)) return null;
  const isTaken = row.taken === 1;
  return {
    appId,
    tenantId: row.tenantId,
    dropReason: isTaken ? null : dropReasonOf(row.subscription),
    isBySocket: isTaken || row.transport === "SOCKET",
  };
}

function dropReasonOf(subscription: SubscriptionState | null): DropReason | null {
  if (subscription === null) return "no-subscription";
  return subscription === "ACTIVE" ? null : "subscription-inactive";
}

/**
 * Writes an event to the outbox, in the transaction of the change it reports. An active application that holds the
 * scope gets one row: PENDING if its subscription is active or a connection takes the type, else DROPPED with the reason,
 * because it is never sent later.
 *
 * @returns whether there is something to deliver; wake the dispatcher after the commit.
 */
export async function emit<Type extends EventType>(
  tx: Db,
  { appId, ...event }: NewEvent<Type> & { appId: string },
): Promise<boolean> {
  const listener = await findListener(tx, appId, event.eventType);
  if (listener === null) return false;
  await emitTo(tx, listener, event);
  return listener.dropReason === null;
}

/**
 * Like {@link emit}, to a listener of this type that was found in the same transaction.
 *
 * @param handOver claims it for this process, where it can.
 * @returns the id of the event.
 */
export async function emitTo<Type extends EventType>(
  tx: Db,
  { appId, tenantId, dropReason, isBySocket }: Listener,
  { eventType, payload, now, dueNow, conversation }: NewEvent<Type>,
  handOver: HandOver | null = null,
): Promise<string> {
  const eventId = newEventId(now);
  const head: EventHead<Type> = { eventId, eventType, appId, tenantId, createTime: now };
  const body = writeJson({ ...head, ...payload });
  const isActive = dropReason === null;
  const newClaim = isActive && !isBySocket ? (handOver?.claimFor(appId) ?? null) : null;
  if (newClaim !== null) newClaim.delivery = { claim: 1, eventId, eventType, body, retryCount: 0, dueAt: dueNow };
  await insert(tx, {
    eventId,
    appId,
    eventType,
    body,
    status: isActive ? "PENDING" : "DROPPED",
    now,
    dueAt: isActive ? (newClaim?.leaseEnd ?? dueNow) : null,
    lastReason: dropReason,
    claim: newClaim === null ? 0 : 1,
    newClaim,
    socket: isBySocket ? 1 : 0,
    conversation,
  });
  return eventId;
}
