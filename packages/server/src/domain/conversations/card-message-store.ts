import type { MessageType } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** What must be known about a message before it is changed. */
export interface SentMessageRecord {
  messageId: number;
  conversationKey: string;
  msgType: MessageType;
}

const selectOfBot = prepared<{ messageId: number; appId: string }>()((db, param) =>
  db
    .selectFrom("messages")
    .select(["message_id as messageId", "conversation_key as conversationKey", "msg_type as msgType"])
    .where("message_id", "=", param("messageId"))
    .where("sender_type", "=", "BOT")
    .where("sender_id", "=", param("appId")),
);

/** A message that the application sent; null when there is none with this id. */
export async function findMessageOfBot(db: Db, appId: string, messageId: number): Promise<SentMessageRecord | null> {
  return (await selectOfBot.first(db, { messageId, appId })) ?? null;
}

/**
 * Replaces a card. With a `version`, only if that is the card's current one (compare-and-set).
 *
 * @param content JSON text.
 * @returns false when the versions differ.
 */
export async function replaceCard(
  tx: Db,
  messageId: number,
  content: string,
  version: number | null,
): Promise<boolean> {
  // No card has such a version, and the database column cannot hold it.
  if (version !== null && !Number.isSafeInteger(version)) return false;
  let update = tx
    .updateTable("messages")
    .set((eb) => ({ content, card_version: eb("card_version", "+", 1) }))
    .where("message_id", "=", messageId);
  if (version !== null) update = update.where("card_version", "=", version);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

/** The version of the card in a message; null when the message is not a card. */
export async function findCardVersion(db: Db, messageId: number): Promise<number | null> {
  const row = await db
    .selectFrom("messages")
    .select("card_version as version")
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  return row?.version ?? null;
}

/** Recalls a message; false when it was recalled already. */
export async function markRecalled(tx: Db, messageId: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("messages")
    .set({ recalled_at: now })
    .where("message_id", "=", messageId)
    .where("recalled_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
