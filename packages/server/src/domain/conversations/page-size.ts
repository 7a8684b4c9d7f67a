import { type ExpressionBuilder, sql } from "kysely";
import { groupsByBytes } from "../../platform/storage/groups-by-bytes.ts";
import type { Db, Schema } from "../../platform/storage/schema.ts";

/** What a page may hold: so many, and so many bytes beyond a first one that alone takes more. */
interface PageBounds {
  limit: number;
  maxBytes: number;
}

/** What a page is going to hold. */
export interface PageSize {
  limit: number;
  /** Of the contents, about. */
  bytes: number;
}

/**
 * How many changes after `afterSeq` to read at once, so that what is read for them stays small: asks the database for the
 * lengths first, which it knows without reading the content.
 */
export async function changesPage(
  db: Db,
  conversationKey: string,
  { afterSeq, limit, maxBytes }: { afterSeq: number } & PageBounds,
): Promise<PageSize> {
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
  const lengths = Array.from({ length: limit }, (_, n) => (created[n]?.bytes ?? 0) + (later[n]?.bytes ?? 0));
  const [page] = groupsByBytes(lengths, (bytes) => bytes, maxBytes);
  return { limit: page?.items.length ?? 0, bytes: page?.bytes ?? 0 };
}

/** The place of a message, and what it takes. */
export interface MeasuredMessage {
  msgSeq: number;
  bytes: number;
}

/** The newest messages below `beforeSeq`, as many as fit a page, oldest first. */
export async function historyPage(
  db: Db,
  conversationKey: string,
  { beforeSeq, limit, maxBytes }: { beforeSeq: number | undefined } & PageBounds,
): Promise<MeasuredMessage[]> {
  let query = db
    .selectFrom("messages")
    .select((eb) => [lengthOf(eb), "msg_seq as msgSeq"])
    .where("conversation_key", "=", conversationKey);
  if (beforeSeq !== undefined) query = query.where("msg_seq", "<", beforeSeq);
  const newest = await query.orderBy("msg_seq", "desc").limit(limit).execute();
  const [page] = groupsByBytes(newest, ({ bytes }) => bytes, maxBytes);
  return page?.items.reverse() ?? [];
}

/** What a message takes, its mentions included. */
export function lengthOf({ ref }: ExpressionBuilder<Schema, "messages">) {
  const bytes = sql<number>`octet_length(${ref("messages.content")}) + octet_length(${ref("messages.mentions")})`;
  return bytes.as("bytes");
}
