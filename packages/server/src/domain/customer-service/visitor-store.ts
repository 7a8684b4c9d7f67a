import type { Visitor } from "@portico/protocol";
import { sql } from "kysely";
import { JsonText } from "../../platform/http/json-text.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { preparedForKeys } from "../../platform/storage/prepared-for-keys.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { isRecent } from "./presence.ts";

/** A stored visitor. */
export interface VisitorRow {
  visitorId: string;
  appId: string;
  thirdUserId: string;
  nickname: string;
  avatar: string;
  phone: string;
  email: string;
  extra: string | null;
  status: number;
  createdAt: number;
  lastSeenAt: number;
  heartbeatAt: number;
}

/** The columns of a {@link VisitorRow}. */
export const visitorColumns = [
  "visitor_id as visitorId",
  "app_id as appId",
  "third_user_id as thirdUserId",
  "nickname",
  "avatar",
  "phone",
  "email",
  "extra",
  "status",
  "created_at as createdAt",
  "last_seen_at as lastSeenAt",
  "heartbeat_at as heartbeatAt",
] as const;

const selectVisitor = prepared<{ appId: string; visitorId: string }>()((db, param) =>
  db
    .selectFrom("visitors")
    .select(visitorColumns)
    .where("visitor_id", "=", param("visitorId"))
    .where("app_id", "=", param("appId")),
);

const selectByThirdUserId = prepared<{ appId: string; thirdUserId: string }>()((db, param) =>
  db
    .selectFrom("visitors")
    .select(visitorColumns)
    .where("app_id", "=", param("appId"))
    .where("third_user_id", "=", param("thirdUserId")),
);

/** The application's visitor; null when there is none with this id. */
export async function findVisitor(db: Db, appId: string, visitorId: string): Promise<VisitorRow | null> {
  return (await selectVisitor.first(db, { appId, visitorId })) ?? null;
}

/** The application's visitor with the integrator's id `thirdUserId`; null when there is none. */
export async function findVisitorByThirdUserId(db: Db, appId: string, thirdUserId: string): Promise<VisitorRow | null> {
  return (await selectByThirdUserId.first(db, { appId, thirdUserId })) ?? null;
}

const selectByToken = prepared<{ tokenHash: string; now: number }>()((db, param) =>
  db
    .selectFrom("visitors")
    .select(visitorColumns)
    .where("visitor_id", "=", (eb) =>
      eb
        .selectFrom("visitor_tokens")
        .select("visitor_tokens.visitor_id")
        .where("token_hash", "=", param("tokenHash"))
        .where("expires_at", ">", param("now")),
    )
    .where("status", "<>", sql.lit(0)),
);

/** The visitor of the token with this hash; null when the token is unknown or expired, or the visitor is disabled. */
export async function findVisitorByToken(db: Db, tokenHash: string, now: number): Promise<VisitorRow | null> {
  return (await selectByToken.first(db, { tokenHash, now })) ?? null;
}

const lockEnabled = prepared<{ visitorId: string }>()((db, param) =>
  db
    .updateTable("visitors")
    .set((eb) => ({ status: eb.ref("status") }))
    .where("visitor_id", "=", param("visitorId"))
    .where("status", "<>", sql.lit(0)),
);

/** Locks an enabled visitor's row until the transaction ends; false when the visitor is disabled. */
export async function lockEnabledVisitor(tx: Db, visitorId: string): Promise<boolean> {
  return (await lockEnabled.affected(tx, { visitorId })) === 1;
}

const selectSome = preparedForKeys<string>()((db, keys) =>
  db.selectFrom("visitors").select(visitorColumns).where("visitor_id", "in", keys),
);

/** Visitors by visitorId. */
export async function findVisitors(db: Db, visitorIds: readonly string[]): Promise<Map<string, VisitorRow>> {
  const rows = await selectSome.rows(db, visitorIds, {});
  return new Map(rows.map((row) => [row.visitorId, row]));
}

/** The integrator's data about a visitor; missing fields do not change. */
export interface VisitorProfile {
  nickname?: string;
  avatar?: string;
  phone?: string;
  email?: string;
  /** JSON text. */
  extra?: string;
}

/**
 * Inserts a visitor; false when the application already has this `thirdUserId`, even if it was inserted concurrently.
 */
export async function insertVisitor(
  tx: Db,
  visitor: { visitorId: string; appId: string; thirdUserId: string; now: number } & VisitorProfile,
): Promise<boolean> {
  const { visitorId, appId, thirdUserId, now, nickname = "", ...profile } = visitor;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("visitors")
    .values({
      visitor_id: visitorId,
      app_id: appId,
      third_user_id: thirdUserId,
      nickname,
      ...profile,
      status: 1,
      created_at: now,
      last_seen_at: now,
    })
    .onConflict((conflict) => conflict.columns(["app_id", "third_user_id"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Updates a visitor's profile and last-seen time (`now`). */
export async function updateVisitor(
  tx: Db,
  visitorId: string,
  { now, ...profile }: { now: number } & VisitorProfile,
): Promise<void> {
  await tx
    .updateTable("visitors")
    .set({ ...profile, last_seen_at: now })
    .where("visitor_id", "=", visitorId)
    .execute();
}

/** Disables (0) or enables (1) a visitor of the application; false when nothing changes or there is no such visitor. */
export async function setVisitorStatus(tx: Db, appId: string, visitorId: string, status: 0 | 1): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("visitors")
    .set({ status })
    .where("visitor_id", "=", visitorId)
    .where("app_id", "=", appId)
    .where("status", "<>", status)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The visitor as the API returns it. `extra` is a JsonText. */
export function toVisitor(row: VisitorRow, now: number): Visitor {
  const { visitorId, thirdUserId, nickname, avatar, phone, email } = row;
  return {
    visitorId,
    thirdUserId,
    nickname,
    avatar,
    phone,
    email,
    extra: row.extra === null ? null : new JsonText(row.extra),
    status: row.status === 0 ? 0 : 1,
    online: isRecent(row.heartbeatAt, now),
    lastSeenAt: row.lastSeenAt === 0 ? null : row.lastSeenAt,
    createdAt: row.createdAt,
  };
}

const noteSeen = prepared<{ visitorId: string; now: number }>()((db, param) =>
  db
    .updateTable("visitors")
    .set({ heartbeat_at: param("now"), last_seen_at: param("now") })
    .where("visitor_id", "=", param("visitorId"))
    .where("heartbeat_at", "<", param("now")),
);

/**
 * Records visitors' heartbeats. Rows locked by others are skipped: waiting for none of them allows many to be written
 * together.
 */
export async function noteVisitorsSeen(
  tx: Db,
  dialect: Dialect,
  visitorIds: readonly string[],
  now: number,
): Promise<void> {
  const rows =
    dialect === "sqlite"
      ? visitorIds.map((visitorId) => ({ visitorId }))
      : await tx
          .selectFrom("visitors")
          .select("visitor_id as visitorId")
          .where("visitor_id", "in", visitorIds)
          .forUpdate()
          .skipLocked()
          .execute();
  for (const { visitorId } of rows) await noteSeen.affected(tx, { visitorId, now });
}
