import { sql } from "kysely";
import { joint } from "../../platform/storage/joint.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Records the applications that a member's message is addressed to. */
export async function insertRecipients(tx: Db, messageId: number, appIds: readonly string[]): Promise<void> {
  if (appIds.length > 0) await insert(tx, { messageId, appIds });
}

const insert = joint<{ messageId: number; appIds: readonly string[] }, void>({
  alone: async (tx, { messageId, appIds }) => {
    const rows = appIds.map((appId) => ({ message_id: messageId, app_id: appId }));
    await tx.insertInto("message_recipients").values(rows).execute();
  },
  async joint(tx, all) {
    const rows = all.flatMap(({ messageId, appIds }) => appIds.map((appId) => ({ messageId, appId })));
    await insertAll.affected(tx, {
      messageIds: rows.map(({ messageId }) => messageId),
      appIds: rows.map(({ appId }) => appId),
    });
    return all.map(() => undefined);
  },
  changed: () => true,
  isTold: true,
});

const insertAll = prepared<{ messageIds: number[]; appIds: string[] }>()((db, param) => ({
  compile: () =>
    sql`
      insert into message_recipients (message_id, app_id)
      select * from unnest(${param("messageIds")}::bigint[], ${param("appIds")}::text[])
    `.compile(db),
}));

/** The conversation of a message that was delivered to the application; null when no such message was. */
export async function findConversationOfDelivered(db: Db, appId: string, messageId: number): Promise<string | null> {
  return await findConversation(db, { messageId, appId });
}

const findConversation = joint<{ messageId: number; appId: string }, string | null>({
  alone: async (db, { messageId, appId }) => {
    const row = await db
      .selectFrom("message_recipients")
      .innerJoin("messages", "messages.message_id", "message_recipients.message_id")
      .select("conversation_key")
      .where("message_recipients.message_id", "=", messageId)
      .where("app_id", "=", appId)
      .executeTakeFirst();
    return row?.conversation_key ?? null;
  },
  async joint(db, all) {
    const rows = await selectConversations.rows(db, {
      messageIds: all.map(({ messageId }) => messageId),
      appIds: all.map(({ appId }) => appId),
    });
    const found = new Map(rows.map(({ n, key }) => [n, key]));
    return all.map((_, index) => found.get(index + 1) ?? null);
  },
});

const selectConversations = prepared<{ messageIds: number[]; appIds: string[] }>()((db, param) => ({
  compile: () =>
    sql<{ n: number; key: string }>`
      select n, conversation_key as key
      from unnest(${param("messageIds")}::bigint[], ${param("appIds")}::text[])
        with ordinality as asked(message_id, app_id, n)
      join message_recipients as recipient
        on recipient.message_id = asked.message_id and recipient.app_id = asked.app_id
      join messages on messages.message_id = asked.message_id
    `.compile(db),
}));
