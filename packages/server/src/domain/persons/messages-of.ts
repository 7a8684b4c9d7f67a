import { type RawBuilder, type SqlBool, sql } from "kysely";
import { anyOf, hasText } from "./window.ts";

/** Whether a message is the member's, or in a conversation of a bot with them. */
export function messagesOf(userId: string): RawBuilder<SqlBool> {
  const isOwn = sql<SqlBool>`(sender_type = 'MEMBER' and sender_id = ${userId})`;
  // Not a range of keys: its ends would be where the collation of the database puts them.
  const isDirect = sql<SqlBool>`substr(conversation_key, 1, 7) = 'direct:'`;
  // Ids contain no colon; of users whose ids begin alike, the caller leaves the others out.
  return anyOf([isOwn, sql<SqlBool>`(${isDirect} and ${hasText("conversation_key", `:${userId}`)})`]);
}

/** Whether it is, told from a message that {@link messagesOf} has found. */
export function isMessageOf(
  userId: string,
  { conversationKey, senderType, senderId }: { conversationKey: string; senderType: string; senderId: string },
): boolean {
  if (senderType === "MEMBER" && senderId === userId) return true;
  return conversationKey.startsWith("direct:") && conversationKey.endsWith(`:${userId}`);
}
