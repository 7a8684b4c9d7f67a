import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";
import { unitsOf } from "../../platform/storage/units-of.ts";
import { emptyEntries, listEntriesAbout } from "../audit/empty-entries.ts";
import { dismissAgent } from "../customer-service/agent-presence.ts";
import { findAgentByUserId } from "../customer-service/agent-store.ts";
import { atDesk } from "../customer-service/at-desk.ts";
import { doomUnsentFiles } from "../files/doom-files.ts";
import type { Searched, Step, Work } from "./step.ts";
import { anyOf, hasText, nextWindow } from "./window.ts";

/** Rows that one query looks at, of tables without numbers. */
const AT_ONCE = 500;

/** The member is no agent any more; their sessions go back to the queue. */
export const leaveDesks: Step = async (parts, { userId }) => {
  const rows = await parts.storage.db
    .selectFrom("app_agents")
    .select("app_id as appId")
    .where("user_id", "=", userId)
    .execute();
  for (const { appId } of rows) {
    await atDesk(parts, appId, async (desk, tx) => {
      await desk.lock();
      const agent = await findAgentByUserId(tx, appId, userId);
      if (agent !== null) await dismissAgent(desk, tx, { appId, agent, now: parts.clock.now() });
    });
    parts.deskLive.agentsChanged(appId, [userId]);
  }
  return { work: [], next: null };
};

/** How far they have read, and what they have uploaded and not sent. */
export const eraseMarks: Step = async (_parts, { userId }) => {
  const removeReads: Work = async (tx) => {
    await tx.deleteFrom("member_reads").where("user_id", "=", userId).execute();
    return {};
  };
  const removeFiles: Work = async (tx) => ({
    erased: { files: await doomUnsentFiles(tx, { type: "MEMBER", id: userId }) },
  });
  return { work: [removeReads, removeFiles], next: null };
};

/** By what applications know them. No index names the member first, but there are not many applications. */
export const eraseOpenIds: Step = async ({ storage }, { userId }, position) => {
  const apps = await storage.lists
    .selectFrom("apps")
    .select("app_id as id")
    .where("app_id", ">", position)
    .orderBy("app_id")
    .limit(AT_ONCE)
    .execute();
  const work = unitsOf(apps.map(({ id }) => id)).map(
    (some): Work =>
      async (tx) => {
        await tx.deleteFrom("miniapp_open_ids").where("app_id", "in", some).where("user_id", "=", userId).execute();
        await removeUnionIds(
          tx,
          userId,
          some.map((appId) => `app:${appId}`),
        );
        return {};
      },
  );
  return { work, next: nextOf(apps) };
};

/** The same for the owners of applications. */
export const eraseUnionIds: Step = async ({ storage }, { userId }, position) => {
  const developers = await storage.lists
    .selectFrom("developers")
    .select("developer_id as id")
    .where("developer_id", ">", position)
    .orderBy("developer_id")
    .limit(AT_ONCE)
    .execute();
  const work = unitsOf(developers.map(({ id }) => id)).map(
    (some): Work =>
      async (tx) => {
        await removeUnionIds(tx, userId, some);
        return {};
      },
  );
  return { work, next: nextOf(developers) };
};

async function removeUnionIds(tx: Db, userId: string, owners: readonly string[]): Promise<void> {
  await tx.deleteFrom("miniapp_union_ids").where("owner_id", "in", owners).where("user_id", "=", userId).execute();
}

/** What they chose and entered in cards. */
export const eraseCardActions: Step = async ({ storage }, { userId }, position) => {
  const rows = await storage.lists
    .selectFrom("card_actions")
    .select(["action_id as id", "user_id as userId"])
    .where("action_id", ">", position)
    .orderBy("action_id")
    .limit(AT_ONCE)
    .execute();
  const own = rows.filter((row) => row.userId === userId).map(({ id }) => id);
  const work = unitsOf(own).map(
    (ids): Work =>
      async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom("card_actions")
          .where("action_id", "in", ids)
          .executeTakeFirstOrThrow();
        return { erased: { cardActions: Number(numDeletedRows) } };
      },
  );
  return { work, next: nextOf(rows) };
};

/** Visitors' conversations name them no longer as the agent; what they said for the application stays. */
export const eraseAgentNames: Step = async ({ storage }, { userId }, position) => {
  const { rows, next } = await nextWindow<{ id: number }>(storage.lists, "customer_messages", position, {
    columns: { id: "message_id" },
    condition: sql<SqlBool>`agent_user_id = ${userId} and agent_name is not null`,
  });
  const work = unitsOf(rows.map(({ id }) => id)).map(
    (ids): Work =>
      async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("customer_messages")
          .set({ agent_name: null })
          .where("message_id", "in", ids)
          .where("agent_name", "is not", null)
          .executeTakeFirstOrThrow();
        return { erased: { customerMessages: Number(numUpdatedRows) } };
      },
  );
  return { work, next };
};

/** Who closed a session is told by the account. */
export const eraseClosers: Step = async ({ storage }, { userId, tenantId, searched, startedAt }, position) => {
  const { rows, next } = await nextWindow<{ id: number }>(storage.lists, "customer_sessions", position, {
    columns: { id: "session_id" },
    condition: sql<SqlBool>`closed_by = ${searched.username} and closed_at <= ${startedAt} and ${isOfTenant(tenantId)}`,
  });
  const work = unitsOf(rows.map(({ id }) => id)).map(
    (ids): Work =>
      async (tx) => {
        await tx
          .updateTable("customer_sessions")
          .set({ closed_by: `~${userId}` })
          .where("session_id", "in", ids)
          .execute();
        return {};
      },
  );
  return { work, next };
};

/** Events of theirs, sent or due; of those of others that mention them, what was sent: what is due is another's word. */
export const eraseDeliveries: Step = async ({ storage }, { userId, tenantId, searched, startedAt }, position) => {
  const id = JSON.stringify(userId);
  const asActor = ["sender", "operator"].map((name) => hasText("body", `"${name}":{"userId":${id}`));
  const account = JSON.stringify(searched.username);
  const asAgent = ["agentId", "previousAgentId", "closedBy"].map((name) => hasText("body", `"${name}":${account}`));
  const { rows, next } = await nextWindow<{ id: number }>(storage.lists, "deliveries", position, {
    columns: { id: "delivery_id" },
    condition: anyOf([
      ...asActor,
      hasText("body", `"chatId":${id}`),
      sql<SqlBool>`(due_at is null and ${hasText("body", id)})`,
      sql<SqlBool>`(${anyOf(asAgent)} and created_at <= ${startedAt} and ${isOfTenant(tenantId)})`,
    ]),
  });
  const work = unitsOf(rows.map(({ id }) => id)).map(
    (ids): Work =>
      async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom("deliveries")
          .where("delivery_id", "in", ids)
          .executeTakeFirstOrThrow();
        return { erased: { deliveries: Number(numDeletedRows) } };
      },
  );
  return { work, next };
};

/** The request log keeps that there was a call, not what was in it. */
export const eraseRequests: Step = async ({ storage }, { userId, tenantId, searched, startedAt }, position) => {
  const named = anyOf(formsOf(searched).map((form) => hasText("detail", form)));
  const isNamed = sql<SqlBool>`(${named} and at <= ${startedAt} and ${isOfTenant(tenantId)})`;
  const rows = await storage.lists
    .selectFrom("requests")
    .select((eb) => [
      "req_no as id",
      eb.and([eb("detail", "is not", null), anyOf([hasText("detail", userId), isNamed])]).as("isAbout"),
    ])
    .where("req_no", ">", position)
    .orderBy("req_no")
    .limit(AT_ONCE)
    .execute();
  const about = rows.filter(({ isAbout }) => isAbout).map(({ id }) => id);
  const work = unitsOf(about).map(
    (ids): Work =>
      async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("requests")
          .set({ detail: null })
          .where("req_no", "in", ids)
          .where("detail", "is not", null)
          .executeTakeFirstOrThrow();
        return { erased: { requests: Number(numUpdatedRows) } };
      },
  );
  return { work, next: nextOf(rows) };
};

/** Entries about them keep that something was changed, by whom and when. */
export const eraseAudit: Step = async ({ storage, clock }, { userId, tenantId, erasedBy }) => {
  const about = await listEntriesAbout(storage.lists, [`member:${userId}`, `agent:${userId}`], erasedBy);
  const work = unitsOf(about).map(
    (ids): Work =>
      async (tx) => {
        await emptyEntries(tx, ids, { target: `member:${userId}`, tenantId }, clock.now());
        return { erased: { auditEntries: ids.length } };
      },
  );
  // What was found is found no more.
  return { work, next: about.length === 0 ? null : "again" };
};

/** Where a table is looked through further; null at its end. */
function nextOf(rows: readonly { id: string }[]): string | null {
  return rows.length < AT_ONCE ? null : (rows.at(-1)?.id ?? null);
}

function isOfTenant(tenantId: string): RawBuilder<SqlBool> {
  // Not by an index of `app_id`: the window is to be read in the order of its numbers.
  return sql<SqlBool>`app_id || '' in (select app_id from apps where tenant_id = ${tenantId})`;
}

/** The forms in which a text stands whole in a record of a call: quoted within a text, and as a value of a query. */
function formsOf({ username, name, phone }: Searched): string[] {
  return [username, name, phone].flatMap((text) => {
    if (text === null || text === "") return [];
    const quoted = JSON.stringify(JSON.stringify(text)).slice(1, -1);
    const value = encodeURIComponent(text);
    return [quoted, `=${value}&`, `=${value}"`];
  });
}
