import { EVENT_TYPES, type EventType } from "@portico/protocol";
import { type RawBuilder, sql } from "kysely";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../../platform/storage/schema.ts";
import type { ClaimedDelivery } from "../claimed-delivery.ts";
import { getRecipients, type Recipients } from "../subscription-store.ts";
import { allot, type Candidate } from "./allot.ts";
import { destinationOf } from "./receivers.ts";
import { listConnections, lockSockets } from "./socket-store.ts";
import { nextSocketDueAt } from "./tend.ts";

/** The most deliveries of a type that are looked at for one claim. */
const WINDOW = 400;

interface DueRow {
  deliveryId: number;
  conversation: string | null;
  boundTo: string | null;
  avoid: string | null;
}

type DueQuery = { appId: string; eventType: EventType; now: number; limit: number };

/**
 * A binding has ended with an event that was not answered; that event itself, which may have no conversation, avoids the
 * connection too. The plus keeps SQLite from taking the index of times, whose rows it would have to sort.
 */
const dueOf = (lock: RawBuilder<unknown>) =>
  prepared<DueQuery>()((db, param) => ({
    compile: () =>
      sql<DueRow>`
        select d.delivery_id as "deliveryId", d.conversation,
          case when c.avoid = c.connection_id then null else c.connection_id end as "boundTo",
          case when c.avoid = c.connection_id then c.avoid
            when d.last_reason = 'ack-timeout' then d.connection_id end as "avoid"
        from deliveries d
        left join socket_conversations c on c.app_id = d.app_id and c.conversation = d.conversation
        where d.app_id = ${param("appId")} and d.event_type = ${param("eventType")} and +d.due_at <= ${param("now")}
          and d.due_at is not null and d.socket = 1
        order by d.delivery_id limit ${param("limit")} ${lock}
      `.compile(db),
  }));

const SELECT_DUE = { sqlite: dueOf(sql``), postgres: dueOf(sql`for update of d skip locked`) };

/** A new binding has not ended, whatever became of an earlier one. */
const bind = prepared<{ appId: string; conversation: string; connectionId: string }>()((db, param) =>
  db
    .insertInto("socket_conversations")
    .values({ app_id: param("appId"), conversation: param("conversation"), connection_id: param("connectionId") })
    .onConflict((conflict) =>
      conflict.columns(["app_id", "conversation"]).doUpdateSet({ connection_id: param("connectionId"), avoid: null }),
    ),
);

const take = prepared<{ deliveryId: number; connectionId: string; leaseEnd: number }>()((db, param) =>
  db
    .updateTable("deliveries")
    .set((eb) => ({
      claim: eb("claim", "+", 1),
      claimed: 1,
      due_before: eb.ref("due_at"),
      due_at: param("leaseEnd"),
      connection_id: param("connectionId"),
    }))
    .where("delivery_id", "=", param("deliveryId"))
    .returning([
      "claim",
      "event_id as eventId",
      "event_type as eventType",
      "body",
      "retry_count as retryCount",
      "due_before as dueBefore",
      "round",
      "ends",
      "attempt_count as attemptCount",
    ]),
);

/** What a claim found. */
export interface SocketClaims {
  claimed: ClaimedDelivery[];
  recipients: Recipients;
  /** When the next delivery by socket becomes due; null when none does. */
  nextDueAt: number | null;
  isOthers: boolean;
  isLeft: boolean;
}

/**
 * Claims due deliveries of an application for connections of this process, in the order of sending, under leases until
 * `leaseEnd`. All processes decide in turn, so that a conversation has one connection.
 *
 * @param rooms how many deliveries each connection of this process can take.
 */
export async function claimForSockets(
  tx: Db,
  dialect: Dialect,
  query: {
    appId: string;
    limit: number;
    now: number;
    leaseEnd: number;
    rooms: ReadonlyMap<string, number>;
    pick: (count: number) => number;
  },
): Promise<SocketClaims> {
  const { appId, limit, now, leaseEnd, rooms, pick } = query;
  await lockSockets(tx, dialect, appId);
  const [recipients, all] = [await getRecipients(tx, appId), await listConnections(tx, appId)];
  const alive = all.filter(({ connectionId, leaseUntil }) => rooms.has(connectionId) || leaseUntil > now);
  const there = new Set(alive.map(({ connectionId }) => connectionId));
  const candidates: Candidate[] = [];
  let isMore = false;
  for (const eventType of EVENT_TYPES) {
    const destination = destinationOf(eventType, recipients, alive);
    if (destination.to !== "socket" || destination.connections.length === 0) continue;
    const connections = destination.connections.map(({ connectionId }) => connectionId);
    const due = await SELECT_DUE[dialect].rows(tx, { appId, eventType, now, limit: WINDOW });
    if (due.length === WINDOW) isMore = true;
    for (const row of due) candidates.push({ ...row, connections });
  }
  candidates.sort((a, b) => a.deliveryId - b.deliveryId);
  const ours = new Map([...rooms].filter(([connectionId]) => there.has(connectionId)));
  const { taken, bindings, isOthers, isLeft } = allot(candidates, { rooms: ours, limit, pick });
  await Promise.all(bindings.map((binding) => bind.affected(tx, { appId, ...binding })));
  const claimed = await Promise.all(
    taken.map(async ({ deliveryId, connectionId }): Promise<ClaimedDelivery | null> => {
      const row = await take.first(tx, { deliveryId, connectionId, leaseEnd });
      if (row === undefined) return null;
      const { dueBefore, round, ends, attemptCount, ...delivery } = row;
      const socket = { connectionId, round, ends, attemptCount };
      return { ...delivery, deliveryId, dueAt: dueBefore ?? now, socket };
    }),
  );
  const nextDueAt = await nextSocketDueAt(tx, appId, now);
  return {
    claimed: claimed.filter((one) => one !== null),
    recipients,
    nextDueAt,
    isOthers,
    isLeft: isLeft || isMore,
  };
}
