import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";

/** Unread messages are counted up to this many. */
const MOST_UNREAD = 100;
/** The newest messages that are looked at for those that others wrote; limits what a member's own cost. */
const MOST_LOOKED_AT = 300;

/** How far a member has read a conversation. */
export interface ReadMark {
  /** The `msgSeq` up to which the member has read; 0 at first. */
  readSeq: number;
  /** Messages by others after that, at most 100. */
  unreadCount: number;
}

/**
 * Moves a member's mark up to `seq`, or to the newest change if that is earlier. A mark never moves back.
 *
 * @returns whether it moved, and where it is now.
 */
export async function markRead(
  tx: Db,
  userId: string,
  conversationKey: string,
  seq: number,
): Promise<{ moved: boolean; readSeq: number }> {
  const last = await tx
    .selectFrom("conversations")
    .select("last_seq")
    .where("conversation_key", "=", conversationKey)
    .executeTakeFirst();
  const upTo = Math.min(seq, last?.last_seq ?? 0);
  if (upTo > 0) {
    const moved = await tx
      .insertInto("member_reads")
      .values({ user_id: userId, conversation_key: conversationKey, seq: upTo })
      .onConflict((conflict) =>
        conflict
          .columns(["user_id", "conversation_key"])
          .doUpdateSet((eb) => ({ seq: eb.ref("excluded.seq") }))
          .where((eb) => eb("member_reads.seq", "<", eb.ref("excluded.seq"))),
      )
      .returning("seq")
      .executeTakeFirst();
    if (moved !== undefined) return { moved: true, readSeq: moved.seq };
  }
  return { moved: false, readSeq: await readSeqOf(tx, userId, conversationKey) };
}

async function readSeqOf(db: Db, userId: string, conversationKey: string): Promise<number> {
  const row = await db
    .selectFrom("member_reads")
    .select("seq")
    .where("user_id", "=", userId)
    .where("conversation_key", "=", conversationKey)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** How far a member has read these conversations, by their keys; those without any message are left out. */
export async function findReadMarks(
  db: Db,
  userId: string,
  conversationKeys: readonly string[],
): Promise<Map<string, ReadMark>> {
  if (conversationKeys.length === 0) return new Map();
  const rows = await db
    .selectFrom("conversations")
    .leftJoin("member_reads", (join) =>
      join
        .onRef("member_reads.conversation_key", "=", "conversations.conversation_key")
        .on("member_reads.user_id", "=", userId),
    )
    .select((eb) => [
      "conversations.conversation_key as key",
      eb.fn.coalesce("member_reads.seq", sql.lit(0)).as("readSeq"),
      unreadBy(userId).as("unreadCount"),
    ])
    .where("conversations.conversation_key", "in", conversationKeys)
    .execute();
  return new Map(rows.map(({ key, readSeq, unreadCount }) => [key, { readSeq, unreadCount: Number(unreadCount) }]));
}

/** A part of one index per conversation, however many messages it has. */
function unreadBy(userId: string): RawBuilder<number> {
  return sql<number>`(select count(*) from (
    select 1 as one from (
      select sender_type, sender_id from messages
      where messages.conversation_key = conversations.conversation_key
        and messages.msg_seq > coalesce(member_reads.seq, 0)
      order by messages.msg_seq desc limit ${sql.lit(MOST_LOOKED_AT)}
    ) as newest
    where not (sender_type = 'MEMBER' and sender_id = ${userId})
    limit ${sql.lit(MOST_UNREAD)}
  ) as unread)`;
}
