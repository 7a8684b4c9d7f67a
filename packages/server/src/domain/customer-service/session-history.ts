import type { PastSession } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

const select = prepared<{ visitorId: string; limit: number }>()((db, param) =>
  db
    .selectFrom("customer_sessions")
    .leftJoin("members", "members.user_id", "customer_sessions.agent_user_id")
    .select([
      "session_id as sessionId",
      "status",
      "members.username as agentId",
      "members.name as agentName",
      "source",
      "subject",
      "created_at as createdAt",
      "assigned_at as assignedAt",
      "first_reply_at as firstReplyAt",
      "closed_at as closedAt",
      "closed_by as closedBy",
      "rating",
      "close_reason as closeReason",
      "rating_comment as ratingComment",
    ])
    .where("visitor_id", "=", param("visitorId"))
    .orderBy("session_id", "desc")
    .limit(param("limit")),
);

/** The visitor's newest sessions for agents, newest first, each with why it was closed and how it was rated. */
export async function listPastSessions(db: Db, visitorId: string, limit: number): Promise<PastSession[]> {
  return await select.rows(db, { visitorId, limit });
}
