import type { Agent, AgentState, AgentStatus } from "@portico/protocol";
import { sql } from "kysely";
import { dialectOf, inLowerCase } from "../../platform/storage/lower-case.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { foldCase } from "../directory/fold-case.ts";
import { firstOf } from "../directory/user-names.ts";
import { isRecent, PRESENT_MS } from "./presence.ts";

/** The application's agents, by account. */
export async function listAgents(db: Db, appId: string): Promise<Agent[]> {
  const rows = await selectDeskAgents(db).where("app_agents.app_id", "=", appId).orderBy("username").execute();
  return rows
    .map(toDeskAgent)
    .map(({ agentId, agentName, maxSessions }) => ({ agentId, name: agentName, maxSessions }));
}

/** The userIds of the application's agents. */
export async function listAgentIds(db: Db, appId: string): Promise<string[]> {
  const rows = await db.selectFrom("app_agents").select("user_id as userId").where("app_id", "=", appId).execute();
  return rows.map(({ userId }) => userId);
}

/** How many agents the application has. */
export async function countAgents(db: Db, appId: string): Promise<number> {
  const { total } = await db
    .selectFrom("app_agents")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("app_id", "=", appId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

const selectOnline = prepared<{ appId: string; since: number }>()((db, param) =>
  db
    .selectFrom("desk_agents")
    .select("user_id as userId")
    .where("app_id", "=", param("appId"))
    .where("present", "=", sql.lit(1))
    .where("status", "=", sql.lit("ONLINE"))
    .where("heartbeat_at", ">", param("since"))
    .limit(1),
);

/** Whether an agent of the application is online. */
export async function isAnyAgentOnline(db: Db, appId: string, now: number): Promise<boolean> {
  return (await selectOnline.first(db, { appId, since: now - PRESENT_MS })) !== undefined;
}

/** Makes a member an agent of the application; false when they are one already. */
export async function insertAgent(tx: Db, appId: string, userId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("app_agents")
    .values({ app_id: appId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Removes an agent from the application and from its desk; false when the member is no agent. */
export async function deleteAgent(tx: Db, appId: string, userId: string): Promise<boolean> {
  await tx.deleteFrom("desk_agents").where("app_id", "=", appId).where("user_id", "=", userId).execute();
  const { numDeletedRows } = await tx
    .deleteFrom("app_agents")
    .where("app_id", "=", appId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** An agent of an application: the chosen settings and the actual state. */
export interface DeskAgent {
  userId: string;
  /** Their account. */
  agentId: string;
  agentName: string;
  /** Whether the account is disabled, so that nobody can come to the desk with it. */
  disabled: boolean;
  status: AgentStatus;
  heartbeatAt: number;
  /** True until the desk has recorded the agent's absence. */
  present: boolean;
  /** The most concurrent sessions. */
  maxSessions: number;
}

/** The default for an agent's concurrent sessions. */
export const DEFAULT_MAX_SESSIONS = 10;

function selectDeskAgents(db: Db) {
  return db
    .selectFrom("app_agents")
    .innerJoin("members", "members.user_id", "app_agents.user_id")
    .leftJoin("desk_agents", (join) =>
      join
        .onRef("desk_agents.app_id", "=", "app_agents.app_id")
        .onRef("desk_agents.user_id", "=", "app_agents.user_id"),
    )
    .select([
      "app_agents.user_id as userId",
      "members.username as agentId",
      "members.name as agentName",
      "members.disabled",
      "desk_agents.status",
      "desk_agents.heartbeat_at as heartbeatAt",
      "desk_agents.present",
      "desk_agents.max_sessions as maxSessions",
    ]);
}

type DeskAgentRow = Awaited<ReturnType<ReturnType<typeof selectDeskAgents>["execute"]>>[number];

function toDeskAgent(row: DeskAgentRow): DeskAgent {
  return {
    ...row,
    disabled: row.disabled === 1,
    status: row.status ?? "OFFLINE",
    heartbeatAt: row.heartbeatAt ?? 0,
    present: row.present === 1,
    maxSessions: row.maxSessions ?? DEFAULT_MAX_SESSIONS,
  };
}

const selectByAccount = prepared<{ appId: string; folded: string }>()((db, param) =>
  selectDeskAgents(db)
    .where("app_agents.app_id", "=", param("appId"))
    .where(inLowerCase(dialectOf(db), "members.username"), "=", param("folded")),
);
const selectByUserId = prepared<{ appId: string; userId: string }>()((db, param) =>
  selectDeskAgents(db)
    .where("app_agents.app_id", "=", param("appId"))
    .where("app_agents.user_id", "=", param("userId")),
);

/** The application's agent with this account, in any case; null when there is none. */
export async function findAgent(db: Db, appId: string, username: string): Promise<DeskAgent | null> {
  const rows = await selectByAccount.rows(db, { appId, folded: foldCase(username) });
  const named = rows.map((row) => ({ ...row, username: row.agentId }));
  const row = firstOf(named, username);
  return row === null ? null : toDeskAgent(row);
}

/** The application's agent with this userId; null when the member is no agent. */
export async function findAgentByUserId(db: Db, appId: string, userId: string): Promise<DeskAgent | null> {
  const row = await selectByUserId.first(db, { appId, userId });
  return row === undefined ? null : toDeskAgent(row);
}

/** The agent as shown in events and at the desk. */
export function toAgentState({ agentId, agentName, status, heartbeatAt }: DeskAgent, now: number): AgentState {
  return { agentId, agentName, status, online: status === "ONLINE" && isRecent(heartbeatAt, now) };
}

/** The application's agents whose accounts are enabled, by account, each with the number of their active sessions. */
export async function listDeskAgents(db: Db, appId: string): Promise<(DeskAgent & { activeSessions: number })[]> {
  const rows = await selectDeskAgents(db)
    .select((eb) =>
      eb
        .selectFrom("customer_sessions")
        .select(({ fn }) => fn.countAll<number>().as("sessions"))
        .whereRef("customer_sessions.app_id", "=", "app_agents.app_id")
        .whereRef("customer_sessions.agent_user_id", "=", "app_agents.user_id")
        .where("customer_sessions.status", "=", sql.lit("ACTIVE"))
        .as("activeSessions"),
    )
    .where("app_agents.app_id", "=", appId)
    .where("members.disabled", "=", sql.lit(0))
    .orderBy("username")
    .execute();
  return rows.map(({ activeSessions, ...row }) => ({
    ...toDeskAgent(row),
    activeSessions: Number(activeSessions ?? 0),
  }));
}

const countActive = prepared<{ appId: string; userId: string }>()((db, param) =>
  db
    .selectFrom("customer_sessions")
    .select((eb) => eb.fn.countAll<number>().as("sessions"))
    .where("app_id", "=", param("appId"))
    .where("agent_user_id", "=", param("userId"))
    .where("status", "=", sql.lit("ACTIVE")),
);

/** The number of the agent's active sessions. */
export async function countActiveSessions(db: Db, appId: string, userId: string): Promise<number> {
  return Number((await countActive.first(db, { appId, userId }))?.sessions ?? 0);
}

/** An agent who can take more sessions: the current number and the maximum. */
export interface FreeAgent {
  userId: string;
  sessions: number;
  maxSessions: number;
}

const selectFree = prepared<{ appId: string; since: number }>()((db, param) =>
  db
    .selectFrom("desk_agents")
    .innerJoin("app_agents", (join) =>
      join
        .onRef("app_agents.app_id", "=", "desk_agents.app_id")
        .onRef("app_agents.user_id", "=", "desk_agents.user_id"),
    )
    .innerJoin("members", "members.user_id", "desk_agents.user_id")
    .select((eb) => [
      "desk_agents.user_id as userId",
      "max_sessions as maxSessions",
      eb
        .selectFrom("customer_sessions")
        .select(({ fn }) => fn.countAll<number>().as("sessions"))
        .whereRef("customer_sessions.app_id", "=", "desk_agents.app_id")
        .whereRef("customer_sessions.agent_user_id", "=", "desk_agents.user_id")
        .where("customer_sessions.status", "=", sql.lit("ACTIVE"))
        .as("sessions"),
    ])
    .where("desk_agents.app_id", "=", param("appId"))
    .where("desk_agents.status", "=", sql.lit("ONLINE"))
    .where("heartbeat_at", ">", param("since"))
    .where("members.disabled", "=", sql.lit(0)),
);

/** The application's agents who are online and have capacity, fewest sessions first. */
export async function listFreeAgents(db: Db, appId: string, now: number): Promise<FreeAgent[]> {
  const rows = await selectFree.rows(db, { appId, since: now - PRESENT_MS });
  return rows
    .map(({ userId, maxSessions, sessions }) => ({
      userId,
      sessions: Number(sessions ?? 0),
      maxSessions: maxSessions ?? DEFAULT_MAX_SESSIONS,
    }))
    .filter(({ sessions, maxSessions }) => sessions < maxSessions)
    .sort((a, b) => a.sessions - b.sessions || (a.userId < b.userId ? -1 : 1));
}
