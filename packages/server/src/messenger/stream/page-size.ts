import { type ExpressionBuilder, sql } from "kysely";
import type { Db, Schema } from "../../storage/schema.ts";

const MAX_CHANGES = 50;
/** What the content of a page may take in memory, beyond a first message that alone takes more. */
const MAX_BYTES = 256 * 1024;

/**
 * How many changes after `afterSeq` to read at once, so that what is read for them stays small: asks the database for the
 * lengths first, which it knows without reading the content.
 *
 * @param most how many there can be, as far as is known.
 */
export async function pageSize(db: Db, conversationKey: string, afterSeq: number, most: number): Promise<number> {
  if (most <= 1) return 1;
  const limit = Math.min(MAX_CHANGES, most);
  const created = await db
    .selectFrom("messages")
    .select(lengthOf)
    .where("conversation_key", "=", conversationKey)
    .where("msg_seq", ">", afterSeq)
    .orderBy("msg_seq")
    .limit(limit)
    .execute();
  const later = await db
    .selectFrom("conversation_changes")
    .innerJoin("messages", "messages.message_id", "conversation_changes.message_id")
    .select(lengthOf)
    .where("conversation_changes.conversation_key", "=", conversationKey)
    .where("conversation_changes.msg_seq", ">", afterSeq)
    .orderBy("conversation_changes.msg_seq")
    .limit(limit)
    .execute();
  // A page of so many changes reads as many of either kind before it puts them in order.
  let bytes = 0;
  for (let size = 0; size < limit; size++) {
    bytes += (created[size]?.bytes ?? 0) + (later[size]?.bytes ?? 0);
    if (bytes > MAX_BYTES) return Math.max(1, size);
  }
  return limit;
}

function lengthOf({ ref }: ExpressionBuilder<Schema, "messages">) {
  const bytes = sql<number>`octet_length(${ref("messages.content")}) + octet_length(${ref("messages.mentions")})`;
  return bytes.as("bytes");
}
