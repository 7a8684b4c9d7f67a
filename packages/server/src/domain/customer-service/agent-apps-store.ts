import { sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";
import { listSessions, type SessionRow } from "./session-store.ts";

/** An application that a member is an agent of. */
export interface AgentsApp {
  appId: string;
  name: string;
}

/** The ACTIVE applications that the member is an agent of, by id. */
export async function listAgentsApps(db: Db, userId: string): Promise<AgentsApp[]> {
  return await db
    .selectFrom("app_agents")
    .innerJoin("apps", "apps.app_id", "app_agents.app_id")
    .select(["apps.app_id as appId", "display_name as name"])
    .where("app_agents.user_id", "=", userId)
    .where("apps.type", "=", sql.lit("CUSTOMER_SERVICE"))
    .where("apps.status", "=", sql.lit("ACTIVE"))
    .orderBy("apps.app_id")
    .execute();
}

/** More than an agent ever has. */
const MAX_SESSIONS = 10_000;

/** The open sessions of the agent in these applications. */
export async function listOwnSessions(db: Db, userId: string, appIds: readonly string[]): Promise<SessionRow[]> {
  const all: SessionRow[] = [];
  for (const appId of appIds) {
    all.push(...(await listSessions(db, appId, { status: "ACTIVE", agentUserId: userId, limit: MAX_SESSIONS })));
  }
  return all;
}
