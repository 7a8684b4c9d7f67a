import type { Visitor } from "@portico/protocol";
import { JsonText } from "../http/json-text.ts";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/schema.ts";
import { isRecent } from "./presence.ts";

/** A visitor as the database keeps them. */
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

const columns = [
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
    .select(columns)
    .where("visitor_id", "=", param("visitorId"))
    .where("app_id", "=", param("appId")),
);

const selectByThirdUserId = prepared<{ appId: string; thirdUserId: string }>()((db, param) =>
  db
    .selectFrom("visitors")
    .select(columns)
    .where("app_id", "=", param("appId"))
    .where("third_user_id", "=", param("thirdUserId")),
);

/** The application's visitor; null when it has none of this id. */
export async function findVisitor(db: Db, appId: string, visitorId: string): Promise<VisitorRow | null> {
  return (await selectVisitor.first(db, { appId, visitorId })) ?? null;
}

/** The application's visitor whom the integrator knows as `thirdUserId`; null when there is none. */
export async function findVisitorByThirdUserId(db: Db, appId: string, thirdUserId: string): Promise<VisitorRow | null> {
  return (await selectByThirdUserId.first(db, { appId, thirdUserId })) ?? null;
}

/** What an integrator says of a visitor; members left out stay as they are. */
export interface VisitorProfile {
  nickname?: string;
  avatar?: string;
  phone?: string;
  email?: string;
  /** JSON text. */
  extra?: string;
}

/** Makes a visitor; false when the application has one of this `thirdUserId`, whoever made it meanwhile. */
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
    })
    .onConflict((conflict) => conflict.columns(["app_id", "third_user_id"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Changes what is known of a visitor. */
export async function updateVisitor(tx: Db, visitorId: string, profile: VisitorProfile): Promise<void> {
  if (Object.keys(profile).length === 0) return;
  await tx.updateTable("visitors").set(profile).where("visitor_id", "=", visitorId).execute();
}

/** Disables (0) or enables (1) a visitor. */
export async function setVisitorStatus(tx: Db, visitorId: string, status: 0 | 1): Promise<void> {
  await tx.updateTable("visitors").set({ status }).where("visitor_id", "=", visitorId).execute();
}

/** The visitor as the API shows them (design, section 8). `extra` is a JsonText. */
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
