import type { Db } from "../../platform/storage/schema.ts";

/** Records the applications that a member's message is addressed to. */
export async function insertRecipients(tx: Db, messageId: number, appIds: readonly string[]): Promise<void> {
  if (appIds.length === 0) return;
  const rows = appIds.map((appId) => ({ message_id: messageId, app_id: appId }));
  await tx.insertInto("message_recipients").values(rows).execute();
}

/** The conversation of a message that was delivered to the application; null when no such message was. */
export async function findConversationOfDelivered(db: Db, appId: string, messageId: number): Promise<string | null> {
  const row = await db
    .selectFrom("message_recipients")
    .innerJoin("messages", "messages.message_id", "message_recipients.message_id")
    .select("conversation_key")
    .where("message_recipients.message_id", "=", messageId)
    .where("app_id", "=", appId)
    .executeTakeFirst();
  return row?.conversation_key ?? null;
}
