import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { takeDue } from "./delivery-batch.ts";

/**
 * The time at which the next delivery of each application by webhook or by socket is due, for applications that have
 * any. A delivery by socket without a connection stays due.
 */
export async function listDueApps(db: Db, by: "webhook" | "socket"): Promise<{ appId: string; dueAt: number }[]> {
  const isDue = sql`due_at is not null and socket = ${sql.lit(by === "socket" ? 1 : 0)}`;
  // Skips from application to application in the index, regardless of the number of their deliveries.
  const { rows } = await sql<{ appId: string; dueAt: number }>`
    with recursive due(app_id) as (
      select min(app_id) from deliveries where ${isDue}
      union all
      select (select min(app_id) from deliveries where ${isDue} and app_id > due.app_id)
      from due where due.app_id is not null
    )
    select app_id as "appId",
      (select min(due_at) from deliveries where ${isDue} and deliveries.app_id = due.app_id) as "dueAt"
    from due where app_id is not null
  `.execute(db);
  return rows;
}

const selectNextDue = prepared<{ appId: string }>()((db, param) =>
  db
    .selectFrom("deliveries")
    .select((eb) => eb.fn.min("due_at").as("dueAt"))
    .where("app_id", "=", param("appId"))
    .where("due_at", "is not", null)
    .where("socket", "=", sql.lit(0)),
);

/** When the next delivery of the application to a webhook is due; null when it has none. */
export async function nextDueAt(db: Db, appId: string): Promise<number | null> {
  return (await selectNextDue.first(db, { appId }))?.dueAt ?? null;
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
    .where("socket", "=", sql.lit(0))
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

/** Claims up to `limit` due deliveries to webhooks, the oldest first, under a lease until `leaseEnd`. */
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

/** Releases a claim, if it is still the worker's: the delivery is due at `dueAt`. */
export const release = prepared<{ deliveryId: number; claim: number; dueAt: number }>()((db, param) =>
  db
    .updateTable("deliveries")
    .set({ claimed: 0, due_at: param("dueAt") })
    .where("delivery_id", "=", param("deliveryId"))
    .where("claim", "=", param("claim"))
    .where("claimed", "=", 1),
);

/** Releases a claim, if it is still the worker's: its subscription is by socket, so the delivery waits for one. */
export const passToSocket = prepared<{ deliveryId: number; claim: number; dueAt: number }>()((db, param) =>
  db
    .updateTable("deliveries")
    .set({ claimed: 0, due_at: param("dueAt"), socket: sql.lit(1) })
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
