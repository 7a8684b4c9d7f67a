import type { SessionState } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** A stored session; `agentUserId` is the member, `agentId` their account. */
export interface SessionRow {
  sessionId: number;
  appId: string;
  visitorId: string;
  status: SessionState;
  agentUserId: string | null;
  agentId: string | null;
  agentName: string | null;
  source: string;
  subject: string;
  /** The place in the queue. */
  queuedAt: number;
  /** When it came into the queue last. */
  waitingSince: number;
  createdAt: number;
  assignedAt: number | null;
  firstReplyAt: number | null;
  closedAt: number | null;
  closedBy: string | null;
  rating: number | null;
  firstSeq: number | null;
  lastSeq: number | null;
  version: number;
}

function selectSessions(db: Db) {
  return db
    .selectFrom("customer_sessions")
    .leftJoin("members", "members.user_id", "customer_sessions.agent_user_id")
    .select(({ fn }) => [
      "session_id as sessionId",
      "app_id as appId",
      "visitor_id as visitorId",
      "status",
      "agent_user_id as agentUserId",
      "members.username as agentId",
      "members.name as agentName",
      "source",
      "subject",
      "queued_at as queuedAt",
      fn.coalesce("waiting_since", "created_at").as("waitingSince"),
      "created_at as createdAt",
      "assigned_at as assignedAt",
      "first_reply_at as firstReplyAt",
      "closed_at as closedAt",
      "closed_by as closedBy",
      "rating",
      "first_seq as firstSeq",
      "last_seq as lastSeq",
      "version",
    ]);
}

const selectSession = prepared<{ appId: string; sessionId: number }>()((db, param) =>
  selectSessions(db).where("session_id", "=", param("sessionId")).where("app_id", "=", param("appId")),
);
const selectOpen = prepared<{ visitorId: string }>()((db, param) =>
  selectSessions(db).where("visitor_id", "=", param("visitorId")).where("status", "<>", sql.lit("CLOSED")),
);

/** The application's session; null when there is none with this id. */
export async function findSession(db: Db, appId: string, sessionId: number): Promise<SessionRow | null> {
  return (await selectSession.first(db, { appId, sessionId })) ?? null;
}

/** The visitor's open session; null when there is none. */
export async function findOpenSession(db: Db, visitorId: string): Promise<SessionRow | null> {
  return (await selectOpen.first(db, { visitorId })) ?? null;
}

/** The sessions of these visitors that wait. */
export async function listQueuedOf(
  db: Db,
  visitorIds: readonly string[],
): Promise<Pick<SessionRow, "sessionId" | "appId" | "visitorId">[]> {
  if (visitorIds.length === 0) return [];
  return await db
    .selectFrom("customer_sessions")
    .select(["session_id as sessionId", "app_id as appId", "visitor_id as visitorId"])
    .where("visitor_id", "in", visitorIds)
    .where("status", "=", sql.lit("QUEUED"))
    .execute();
}

/** Sessions of an application in a state, newest first; queued ones in queue order. */
export async function listSessions(
  db: Db,
  appId: string,
  {
    status,
    agentUserId,
    before,
    limit,
  }: { status: SessionState; agentUserId?: string; before?: number; limit: number },
): Promise<SessionRow[]> {
  let query = selectSessions(db).where("app_id", "=", appId).where("status", "=", sql.lit(status)).limit(limit);
  if (agentUserId !== undefined) query = query.where("agent_user_id", "=", agentUserId);
  if (status === "QUEUED") return await query.orderBy("queued_at").orderBy("session_id").execute();
  if (before !== undefined) query = query.where("session_id", "<", before);
  return await query.orderBy("session_id", "desc").execute();
}

const selectNewest = prepared<{ visitorId: string; limit: number }>()((db, param) =>
  selectSessions(db).where("visitor_id", "=", param("visitorId")).orderBy("session_id", "desc").limit(param("limit")),
);

/** The visitor's newest sessions, newest first; an open one comes first. */
export async function listNewestSessions(db: Db, visitorId: string, limit: number): Promise<SessionRow[]> {
  return await selectNewest.rows(db, { visitorId, limit });
}

const insert = prepared<{ appId: string; visitorId: string; source: string; subject: string; now: number }>()(
  (db, param) =>
    db
      .insertInto("customer_sessions")
      .values({
        app_id: param("appId"),
        visitor_id: param("visitorId"),
        status: "QUEUED",
        agent_user_id: null,
        source: param("source"),
        subject: param("subject"),
        queued_at: param("now"),
        waiting_since: param("now"),
        waited_ms: null,
        created_at: param("now"),
        assigned_at: null,
        first_assigned_at: null,
        first_reply_at: null,
        closed_at: null,
        closed_by: null,
        close_reason: null,
        rating: null,
        rating_comment: null,
        first_seq: null,
        last_seq: null,
        version: 0,
      })
      .onConflict((conflict) => conflict.column("visitor_id").where("status", "<>", sql.lit("CLOSED")).doNothing())
      .returning("session_id as sessionId"),
);

/** Opens a session in the queue; null when the visitor already has an open one, even if it was opened concurrently. */
export async function insertSession(
  tx: Db,
  session: { appId: string; visitorId: string; source: string; subject: string; now: number },
): Promise<number | null> {
  return (await insert.first(tx, { ...session }))?.sessionId ?? null;
}

const updateAssigned = prepared<{ sessionId: number; agentUserId: string; now: number }>()((db, param) =>
  db
    .updateTable("customer_sessions")
    .set((eb) => ({
      status: "ACTIVE",
      agent_user_id: param("agentUserId"),
      assigned_at: param("now"),
      // An earlier version of the service wrote the last assignment only.
      first_assigned_at: eb.fn.coalesce("first_assigned_at", "assigned_at", eb.val(param("now"))),
      waited_ms: sql<number>`case when status = 'QUEUED'
        then coalesce(waited_ms, 0) + ${param("now")} - coalesce(waiting_since, created_at) else waited_ms end`,
      version: eb("version", "+", 1),
    }))
    .where("session_id", "=", param("sessionId"))
    .where("status", "<>", sql.lit("CLOSED")),
);

/** Assigns a session to an agent; false when it is closed. */
export async function assignSession(tx: Db, sessionId: number, agentUserId: string, now: number): Promise<boolean> {
  return (await updateAssigned.affected(tx, { sessionId, agentUserId, now })) === 1;
}

/** Returns an ACTIVE session to the queue at `queuedAt`; it waits anew from now. */
export async function requeueSession(
  tx: Db,
  sessionId: number,
  { queuedAt, now }: { queuedAt: number; now: number },
): Promise<void> {
  await tx
    .updateTable("customer_sessions")
    .set((eb) => ({
      status: "QUEUED",
      agent_user_id: null,
      assigned_at: null,
      queued_at: queuedAt,
      waiting_since: now,
      version: eb("version", "+", 1),
    }))
    .where("session_id", "=", sessionId)
    .where("status", "=", "ACTIVE")
    .execute();
}

/** Closes a session; false when it is closed already. */
export async function endSession(
  tx: Db,
  sessionId: number,
  { by, reason, now }: { by: string; reason: string | null; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("customer_sessions")
    .set((eb) => ({
      status: "CLOSED",
      closed_at: now,
      closed_by: by,
      close_reason: reason,
      version: eb("version", "+", 1),
    }))
    .where("session_id", "=", sessionId)
    .where("status", "<>", "CLOSED")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores the visitor's rating, once; false when there is one already. */
export async function insertRating(
  tx: Db,
  sessionId: number,
  rating: number,
  comment: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("customer_sessions")
    .set((eb) => ({ rating, rating_comment: comment, version: eb("version", "+", 1) }))
    .where("session_id", "=", sessionId)
    .where("rating", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const lockOpen = prepared<{ sessionId: number }>()((db, param) =>
  db
    .updateTable("customer_sessions")
    .set((eb) => ({ version: eb.ref("version") }))
    .where("session_id", "=", param("sessionId"))
    .where("status", "<>", sql.lit("CLOSED")),
);

/** Locks an open session until the transaction ends; false when it is closed. */
export async function lockOpenSession(tx: Db, sessionId: number): Promise<boolean> {
  return (await lockOpen.affected(tx, { sessionId })) === 1;
}

const noteMessage = prepared<{ sessionId: number; seq: number }>()((db, param) =>
  db
    .updateTable("customer_sessions")
    .set((eb) => ({ first_seq: eb.fn.coalesce("first_seq", eb.val(param("seq"))), last_seq: param("seq") }))
    .where("session_id", "=", param("sessionId")),
);
const noteReply = prepared<{ sessionId: number; now: number }>()((db, param) =>
  db
    .updateTable("customer_sessions")
    .set({ first_reply_at: param("now") })
    .where("session_id", "=", param("sessionId"))
    .where("first_reply_at", "is", null),
);

/** Records a message of a locked session, and the first one by an agent. */
export async function noteMessageOf(
  tx: Db,
  sessionId: number,
  { seq, isReply, now }: { seq: number; isReply: boolean; now: number },
): Promise<void> {
  await noteMessage.affected(tx, { sessionId, seq });
  if (isReply) await noteReply.affected(tx, { sessionId, now });
}
