import type { AgentStatus } from "@portico/protocol";
import { type Expression, type RawBuilder, sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { PRESENT_MS, REQUEUED_AFTER_MS } from "./presence.ts";

/** An agent of an application, as a key. */
export interface AgentKey {
  appId: string;
  userId: string;
}

/** Rows per batch; the next round takes the rest. */
const MAX_ROWS = 1_000;

/** The latest heartbeat of all processes is kept. */
function latest(known: Expression<number>, seen: number): RawBuilder<number> {
  return sql<number>`case when ${known} > ${seen} then ${known} else ${seen} end`;
}

const upsertPresent = prepared<{ appId: string; userId: string; heartbeatAt: number }>()((db, param) =>
  db
    .insertInto("desk_agents")
    .values({
      app_id: param("appId"),
      user_id: param("userId"),
      status: "OFFLINE",
      heartbeat_at: param("heartbeatAt"),
      present: 1,
      max_sessions: null,
    })
    .onConflict((conflict) =>
      conflict.columns(["app_id", "user_id"]).doUpdateSet((eb) => ({
        present: 1,
        heartbeat_at: latest(eb.ref("desk_agents.heartbeat_at"), param("heartbeatAt")),
      })),
    ),
);

/** Records a heartbeat and marks the agent as present. */
export async function markPresent(tx: Db, { appId, userId }: AgentKey, now: number): Promise<void> {
  await upsertPresent.affected(tx, { appId, userId, heartbeatAt: now });
}

const refresh = prepared<{ appId: string; userId: string; now: number; since: number }>()((db, param) =>
  db
    .updateTable("desk_agents")
    .set((eb) => ({ heartbeat_at: latest(eb.ref("heartbeat_at"), param("now")) }))
    .where("app_id", "=", param("appId"))
    .where("user_id", "=", param("userId"))
    .where("present", "=", sql.lit(1))
    .where("heartbeat_at", ">", param("since")),
);

/** Records a heartbeat of an agent who is present; false when they are marked absent. */
export async function renewPresence(tx: Db, { appId, userId }: AgentKey, now: number): Promise<boolean> {
  return (await refresh.affected(tx, { appId, userId, now, since: now - PRESENT_MS })) === 1;
}

/** Marks an agent absent; false when they are marked absent already or have sent a heartbeat meanwhile. */
export async function markAbsent(tx: Db, { appId, userId }: AgentKey, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("desk_agents")
    .set({ present: 0 })
    .where("app_id", "=", appId)
    .where("user_id", "=", userId)
    .where("present", "=", 1)
    .where("heartbeat_at", "<=", now - PRESENT_MS)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const newAgent = { status: "OFFLINE", heartbeat_at: 0, present: 0, max_sessions: null } as const;

/** Stores the status that an agent chose. */
export async function setAgentStatus(tx: Db, { appId, userId }: AgentKey, status: AgentStatus): Promise<void> {
  await tx
    .insertInto("desk_agents")
    .values({ app_id: appId, user_id: userId, ...newAgent, status })
    .onConflict((conflict) => conflict.columns(["app_id", "user_id"]).doUpdateSet({ status }))
    .execute();
}

/** Stores how many concurrent sessions an agent may have. */
export async function setMaxSessions(tx: Db, { appId, userId }: AgentKey, maxSessions: number): Promise<void> {
  await tx
    .insertInto("desk_agents")
    .values({ app_id: appId, user_id: userId, ...newAgent, max_sessions: maxSessions })
    .onConflict((conflict) => conflict.columns(["app_id", "user_id"]).doUpdateSet({ max_sessions: maxSessions }))
    .execute();
}

/** The agents that these members are, of all applications, always in the same order (prevents deadlocks). */
export async function listAgentKeys(db: Db, userIds: readonly string[]): Promise<AgentKey[]> {
  return await db
    .selectFrom("app_agents")
    .select(["app_id as appId", "user_id as userId"])
    .where("user_id", "in", userIds)
    .orderBy("app_id")
    .orderBy("user_id")
    .execute();
}

/**
 * Agents whose heartbeat is too old but who are not yet marked absent, always in the same order (prevents deadlocks).
 */
export async function listOverdueAgents(db: Db, now: number): Promise<AgentKey[]> {
  const agents = await db
    .selectFrom("desk_agents")
    .select(["app_id as appId", "user_id as userId"])
    .where("present", "=", sql.lit(1))
    .where("heartbeat_at", "<=", now - PRESENT_MS)
    .orderBy("heartbeat_at")
    .limit(MAX_ROWS)
    .execute();
  return agents.sort((a, b) => (a.appId === b.appId ? (a.userId < b.userId ? -1 : 1) : a.appId < b.appId ? -1 : 1));
}

/**
 * Sessions of agents who stay absent, in order of arrival. A session assigned to an agent who was already absent is not
 * included: an integrator who does that has its own desk.
 *
 * @param appId absent: all applications.
 */
export async function listAbandonedSessions(db: Db, now: number, appId?: string) {
  let query = db
    .selectFrom("customer_sessions")
    .innerJoin("desk_agents", (join) =>
      join
        .onRef("desk_agents.app_id", "=", "customer_sessions.app_id")
        .onRef("desk_agents.user_id", "=", "customer_sessions.agent_user_id"),
    )
    .select(["customer_sessions.app_id as appId", "session_id as sessionId"])
    .where("customer_sessions.status", "=", sql.lit("ACTIVE"))
    .where("heartbeat_at", "<=", now - REQUEUED_AFTER_MS)
    .where("assigned_at", "<", (eb) => eb("heartbeat_at", "+", PRESENT_MS))
    .orderBy("queued_at")
    .orderBy("session_id")
    .limit(MAX_ROWS);
  if (appId !== undefined) query = query.where("customer_sessions.app_id", "=", appId);
  return await query.execute();
}

/** Applications that have both a queue and an agent online. */
export async function listWaitingApps(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("desk_agents")
    .select("app_id as appId")
    .where("status", "=", sql.lit("ONLINE"))
    .where("present", "=", sql.lit(1))
    .where("heartbeat_at", ">", now - PRESENT_MS)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("customer_sessions")
          .select("session_id")
          .whereRef("customer_sessions.app_id", "=", "desk_agents.app_id")
          .where("customer_sessions.status", "=", sql.lit("QUEUED")),
      ),
    )
    .execute();
  return [...new Set(rows.map(({ appId }) => appId))];
}
