import { removeOld } from "../../platform/storage/remove-old.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Writes } from "../../platform/storage/storage.ts";

/** What is needed of a message to accept an action on its card; null when there is no such message. */
export async function findCardMessage(db: Db, messageId: number) {
  const row = await db
    .selectFrom("messages")
    .select([
      "conversation_key as conversationKey",
      "msg_type as msgType",
      "sender_type as senderType",
      "sender_id as senderId",
      "card_version as cardVersion",
      "recalled_at as recalledAt",
    ])
    .where("message_id", "=", messageId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { recalledAt, ...message } = row;
  return { ...message, recalled: recalledAt !== null };
}

/** A member's action on a card. `action` is JSON text; `now` is epoch milliseconds. */
export interface NewCardAction {
  actionId: string;
  messageId: number;
  cardVersion: number;
  userId: string;
  action: string;
  now: number;
}

export async function insertCardAction(tx: Db, action: NewCardAction): Promise<void> {
  await tx
    .insertInto("card_actions")
    .values({
      action_id: action.actionId,
      message_id: action.messageId,
      card_version: action.cardVersion,
      user_id: action.userId,
      action: action.action,
      created_at: action.now,
    })
    .execute();
}

/** Deletes actions recorded before `before` (epoch milliseconds). */
export async function sweepCardActions(storage: Writes, before: number): Promise<void> {
  await removeOld(storage, "card_actions", { key: ["action_id"], column: "created_at", before });
}
