import type { CustomerSession } from "@portico/protocol";
import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { SessionRow } from "./session-store.ts";

/** The maximum that a queue position is counted to. */
const MAX_COUNTED = 10_000;

const countAhead = prepared<{ appId: string; queuedAt: number; sessionId: number }>()((db, param) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("customer_sessions")
        .select("session_id")
        .where("app_id", "=", param("appId"))
        .where("status", "=", sql.lit("QUEUED"))
        // A row comparison, so that no row behind this one is read.
        .where(sql<boolean>`(queued_at, session_id) < (${param("queuedAt")}, ${param("sessionId")})`)
        .limit(sql.lit(MAX_COUNTED))
        .as("before"),
    )
    .select((eb) => eb.fn.countAll<number>().as("ahead")),
);

const countQueue = prepared<{ appId: string }>()((db, param) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("customer_sessions")
        .select("session_id")
        .where("app_id", "=", param("appId"))
        .where("status", "=", sql.lit("QUEUED"))
        .limit(sql.lit(MAX_COUNTED))
        .as("waiting"),
    )
    .select((eb) => eb.fn.countAll<number>().as("queued")),
);

/** The number of queued sessions of the application, at most {@link MAX_COUNTED}. */
export async function countQueued(db: Db, appId: string): Promise<number> {
  return Number((await countQueue.first(db, { appId }))?.queued ?? 0);
}

/** The session as the API returns it. */
export async function toSession(db: Db, row: SessionRow): Promise<CustomerSession> {
  const { appId, queuedAt, sessionId, visitorId, status, agentId, agentName, source, subject } = row;
  const { createdAt, assignedAt, firstReplyAt, closedAt, closedBy, rating } = row;
  const ahead = status === "QUEUED" ? await countAhead.first(db, { appId, queuedAt, sessionId }) : undefined;
  const queuePosition = ahead === undefined ? null : Number(ahead.ahead) + 1;
  const times = { createdAt, assignedAt, firstReplyAt, closedAt };
  return {
    sessionId,
    visitorId,
    status,
    agentId,
    agentName,
    source,
    subject,
    queuePosition,
    ...times,
    closedBy,
    rating,
  };
}
