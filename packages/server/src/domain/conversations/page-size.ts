import { type ExpressionBuilder, sql } from "kysely";
import { groupsByBytes } from "../../platform/storage/groups-by-bytes.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Schema } from "../../platform/storage/schema.ts";

/** Limits of a page: the number of entries, and their total bytes (one larger entry is still returned alone). */
interface PageBounds {
  limit: number;
  maxBytes: number;
}

/** The number of entries on a page and their size. */
export interface PageSize {
  limit: number;
  /** Approximate size of the contents. */
  bytes: number;
}

const lengthsOfMessages = prepared<{ conversationKey: string; afterSeq: number; limit: number }>()((db, param) =>
  db
    .selectFrom("messages")
    .select(lengthOf)
    .where("conversation_key", "=", param("conversationKey"))
    .where("msg_seq", ">", param("afterSeq"))
    .orderBy("msg_seq")
    .limit(param("limit")),
);

const lengthsOfChanges = prepared<{ conversationKey: string; afterSeq: number; limit: number }>()((db, param) =>
  db
    .selectFrom("conversation_changes")
    .innerJoin("messages", "messages.message_id", "conversation_changes.message_id")
    .select(lengthOf)
    .where("conversation_changes.conversation_key", "=", param("conversationKey"))
    .where("conversation_changes.msg_seq", ">", param("afterSeq"))
    .orderBy("conversation_changes.msg_seq")
    .limit(param("limit")),
);

/**
 * How many changes after `afterSeq` to read at once, so that they need little memory. It reads only the lengths, which
 * the database knows without reading the content.
 */
export async function changesPage(
  db: Db,
  conversationKey: string,
  { afterSeq, limit, maxBytes }: { afterSeq: number } & PageBounds,
): Promise<PageSize> {
  const range = { conversationKey, afterSeq, limit };
  const [created, later] = await Promise.all([lengthsOfMessages.rows(db, range), lengthsOfChanges.rows(db, range)]);
  // The page query reads up to `limit` entries of either kind before it merges them.
  const lengths = Array.from({ length: limit }, (_, n) => (created[n]?.bytes ?? 0) + (later[n]?.bytes ?? 0));
  const [page] = groupsByBytes(lengths, (bytes) => bytes, maxBytes);
  return { limit: page?.items.length ?? 0, bytes: page?.bytes ?? 0 };
}

/** The position and size of a message. */
export interface MeasuredMessage {
  msgSeq: number;
  bytes: number;
}

const newestBelow = prepared<{ conversationKey: string; beforeSeq: number; limit: number }>()((db, param) =>
  db
    .selectFrom("messages")
    .select((eb) => [lengthOf(eb), "msg_seq as msgSeq"])
    .where("conversation_key", "=", param("conversationKey"))
    .where("msg_seq", "<", param("beforeSeq"))
    .orderBy("msg_seq", "desc")
    .limit(param("limit")),
);

/** The newest messages below `beforeSeq`, as many as fit on a page, oldest first. */
export async function historyPage(
  db: Db,
  conversationKey: string,
  { beforeSeq = Number.MAX_SAFE_INTEGER, limit, maxBytes }: { beforeSeq: number | undefined } & PageBounds,
): Promise<MeasuredMessage[]> {
  const newest = await newestBelow.rows(db, { conversationKey, beforeSeq, limit });
  const [page] = groupsByBytes(newest, ({ bytes }) => bytes, maxBytes);
  return page?.items.reverse() ?? [];
}

/** The size of a message, including its mentions. */
export function lengthOf({ ref }: ExpressionBuilder<Schema, "messages">) {
  const bytes = sql<number>`octet_length(${ref("messages.content")}) + octet_length(${ref("messages.mentions")})`;
  return bytes.as("bytes");
}
