import { type RawBuilder, sql } from "kysely";
import { preparedForKeys } from "../../platform/storage/prepared-for-keys.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** Unread messages are counted up to this many. */
const MAX_UNREAD = 100;
/** The newest messages among which unread ones are counted; bounds the cost when the member wrote most of them. */
const MAX_EXAMINED = 300;

/** How far a conversation has come, and how far a member has read it. */
export interface ReadMark {
  /** The `msgSeq` of the newest change. */
  lastSeq: number;
  /** The `msgSeq` up to which the member has read; 0 at first. */
  readSeq: number;
  /** Messages by others after that, at most 100. */
  unreadCount: number;
}

/**
 * Where a member's mark is, and where it would be moved to by reading up to `seq`: not beyond the newest change, and never
 * back. Most calls of a messenger with several pages move nothing, so this is asked before a transaction begins.
 */
export async function findMove(
  db: Db,
  userId: string,
  conversationKey: string,
  seq: number,
): Promise<{ from: number; to: number }> {
  const row = await markedConversations(db, userId)
    .where("conversations.conversation_key", "=", conversationKey)
    .executeTakeFirst();
  if (row === undefined) return { from: 0, to: 0 };
  return { from: row.readSeq, to: Math.max(row.readSeq, Math.min(seq, row.lastSeq)) };
}

/** Moves a member's mark up to the `msgSeq` of a change, unless it is there already. Returns whether it moved. */
export async function moveMark(tx: Db, userId: string, conversationKey: string, seq: number): Promise<boolean> {
  const moved = await tx
    .insertInto("member_reads")
    .values({ user_id: userId, conversation_key: conversationKey, seq })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "conversation_key"])
        .doUpdateSet((eb) => ({ seq: eb.ref("excluded.seq") }))
        .where((eb) => eb("member_reads.seq", "<", eb.ref("excluded.seq"))),
    )
    .returning("seq")
    .executeTakeFirst();
  return moved !== undefined;
}

function markedConversations(db: Db, userId: string) {
  return db
    .selectFrom("conversations")
    .leftJoin("member_reads", (join) =>
      join
        .onRef("member_reads.conversation_key", "=", "conversations.conversation_key")
        .on("member_reads.user_id", "=", userId),
    )
    .select((eb) => [
      "conversations.conversation_key as key",
      "conversations.last_seq as lastSeq",
      eb.fn.coalesce("member_reads.seq", sql.lit(0)).as("readSeq"),
    ]);
}

const selectMarks = preparedForKeys<string, { userId: string }>()((db, keys, param) =>
  markedConversations(db, param("userId"))
    .select(unreadBy(param("userId")).as("unreadCount"))
    .where("conversations.conversation_key", "in", keys),
);

/** How far these conversations have come and a member has read them, by their keys; those without any message are left out. */
export async function findReadMarks(
  db: Db,
  userId: string,
  conversationKeys: readonly string[],
): Promise<Map<string, ReadMark>> {
  const rows = await selectMarks.rows(db, conversationKeys, { userId });
  return new Map(rows.map(({ key, unreadCount, ...mark }) => [key, { ...mark, unreadCount: Number(unreadCount) }]));
}

/** A part of one index per conversation, however many messages it has. */
function unreadBy(userId: string): RawBuilder<number> {
  return sql<number>`(select count(*) from (
    select 1 as one from (
      select sender_type, sender_id from messages
      where messages.conversation_key = conversations.conversation_key
        and messages.msg_seq > coalesce(member_reads.seq, 0)
      order by messages.msg_seq desc limit ${sql.lit(MAX_EXAMINED)}
    ) as newest
    where not (sender_type = 'MEMBER' and sender_id = ${userId})
    limit ${sql.lit(MAX_UNREAD)}
  ) as unread)`;
}
