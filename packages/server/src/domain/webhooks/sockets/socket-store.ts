import type { EventType } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../../platform/storage/schema.ts";

/** An open connection of an application, at any process. */
export interface OpenConnection {
  connectionId: string;
  processId: string;
  leaseUntil: number;
  /** The event types that it takes; empty for one that gets what is subscribed by socket. */
  takes: readonly EventType[];
}

/** The transaction lane of what is decided about an application's connections. */
export function socketLane(appId: string): string {
  return `sockets:${appId}`;
}

const lock = prepared<{ name: string }>()((db, param) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${param("name")}, 0))`.as("locked")),
);

/**
 * Makes decisions about an application's connections one after another in all processes, until the transaction ends. A
 * transaction takes this lock before all others; SQLite has one writer anyway.
 */
export async function lockSockets(tx: Db, dialect: Dialect, appId: string): Promise<void> {
  if (dialect === "postgres") await lock.rows(tx, { name: `socket:${appId}` });
}

const selectConnections = prepared<{ appId: string }>()((db, param) =>
  db
    .selectFrom("socket_connections")
    .select(["connection_id as connectionId", "process_id as processId", "lease_until as leaseUntil"])
    .where("app_id", "=", param("appId")),
);
const selectTakes = prepared<{ appId: string }>()((db, param) =>
  db
    .selectFrom("socket_takes")
    .select(["connection_id as connectionId", "event_type as eventType"])
    .where("app_id", "=", param("appId")),
);

/** All connections of an application, also those whose process has died. */
export async function listConnections(db: Db, appId: string): Promise<OpenConnection[]> {
  const connections = await selectConnections.rows(db, { appId });
  if (connections.length === 0) return [];
  const takes = Map.groupBy(await selectTakes.rows(db, { appId }), ({ connectionId }) => connectionId);
  return connections.map((connection) => ({
    ...connection,
    takes: (takes.get(connection.connectionId) ?? []).map(({ eventType }) => eventType),
  }));
}

/** Adds a connection. What waits of the types that it takes waits for a socket from now on. */
export async function insertConnection(
  tx: Db,
  appId: string,
  { connectionId, processId, leaseUntil, takes }: OpenConnection,
): Promise<void> {
  await tx
    .insertInto("socket_connections")
    .values({ connection_id: connectionId, app_id: appId, process_id: processId, lease_until: leaseUntil })
    .execute();
  for (const eventType of takes) {
    await tx
      .insertInto("socket_takes")
      .values({ app_id: appId, event_type: eventType, connection_id: connectionId })
      .execute();
    await tx
      .updateTable("deliveries")
      .set({ socket: 1 })
      .where("app_id", "=", appId)
      .where("event_type", "=", eventType)
      .where("due_at", "is not", null)
      .where("socket", "=", sql.lit(0))
      .where("claimed", "=", 0)
      .execute();
  }
}

/**
 * Removes a connection, and with it what it took and which conversations were its own; all that it had is due again
 * since before.
 *
 * @param ended how much longer its row of ends becomes: 0 when the service caused the end.
 * @param settled deliveries that are settled otherwise.
 * @returns how many deliveries are due again.
 */
export async function removeConnection(
  tx: Db,
  connectionId: string,
  { now, ended, settled }: { now: number; ended: 0 | 1; settled: readonly number[] },
): Promise<number> {
  let giveBack = tx
    .updateTable("deliveries")
    .set((eb) => ({
      claimed: 0,
      claim: eb("claim", "+", 1),
      due_at: eb.fn.coalesce("due_before", eb.val(now)),
      ends: eb("ends", "+", ended),
    }))
    .where("connection_id", "=", connectionId)
    .where("claimed", "=", sql.lit(1))
    .where("connection_id", "is not", null);
  if (settled.length > 0) giveBack = giveBack.where("delivery_id", "not in", settled);
  const { numUpdatedRows } = await giveBack.executeTakeFirst();
  await tx.deleteFrom("socket_connections").where("connection_id", "=", connectionId).execute();
  return Number(numUpdatedRows);
}

/**
 * Ends the bindings of a connection that has left an event unanswered: what comes later of these conversations goes to another
 * one, if there is one.
 */
export async function endBindings(tx: Db, connectionId: string): Promise<void> {
  await tx
    .updateTable("socket_conversations")
    .set((eb) => ({ avoid: eb.ref("connection_id") }))
    .where("connection_id", "=", connectionId)
    .where((eb) => eb.or([eb("avoid", "is", null), eb("avoid", "!=", connectionId)]))
    .execute();
}

const renew = prepared<{ processId: string; leaseUntil: number }>()((db, param) =>
  db
    .updateTable("socket_connections")
    .set({ lease_until: param("leaseUntil") })
    .where("process_id", "=", param("processId"))
    .returning("connection_id as connectionId"),
);

/** Renews the leases of all connections of a process; returns those that are still there. */
export async function renewConnections(tx: Db, processId: string, leaseUntil: number): Promise<string[]> {
  return (await renew.rows(tx, { processId, leaseUntil })).map(({ connectionId }) => connectionId);
}

/** Connections whose process has died. */
export async function listDeadConnections(
  db: Db,
  now: number,
  limit: number,
): Promise<{ appId: string; connectionId: string }[]> {
  return await db
    .selectFrom("socket_connections")
    .select(["app_id as appId", "connection_id as connectionId"])
    .where("lease_until", "<=", now)
    .orderBy("lease_until")
    .limit(limit)
    .execute();
}

/** Removes a connection unless its lease has been renewed; false when it was, or somebody else removed it. */
export async function removeDeadConnection(tx: Db, connectionId: string, now: number): Promise<boolean> {
  const dead = await tx
    .selectFrom("socket_connections")
    .select("connection_id")
    .where("connection_id", "=", connectionId)
    .where("lease_until", "<=", now)
    .executeTakeFirst();
  if (dead === undefined) return false;
  await removeConnection(tx, connectionId, { now, ended: 0, settled: [] });
  return true;
}
