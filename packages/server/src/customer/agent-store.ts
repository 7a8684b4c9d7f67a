import type { Agent } from "@portico/protocol";
import type { Db } from "../storage/schema.ts";

/** The application's agents, by account. */
export async function listAgents(db: Db, appId: string): Promise<Agent[]> {
  return await db
    .selectFrom("app_agents")
    .innerJoin("members", "members.user_id", "app_agents.user_id")
    .select(["username as agentId", "name"])
    .where("app_id", "=", appId)
    .orderBy("username")
    .execute();
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

/** Makes a member an agent of the application; false when they are one. */
export async function insertAgent(tx: Db, appId: string, userId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("app_agents")
    .values({ app_id: appId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Has a member be no agent of the application any more; false when they are none. */
export async function deleteAgent(tx: Db, appId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("app_agents")
    .where("app_id", "=", appId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
