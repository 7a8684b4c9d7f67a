import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/storage/schema.ts";
import type { Storage } from "../../platform/storage/storage.ts";

/** Unread messages are counted up to this many. */
const MAX_UNREAD = 100;
/** The newest messages among which unread ones are counted; bounds the cost when the member wrote most of them. */
const MAX_EXAMINED = 300;

/** How far a member has read a conversation. */
export interface ReadMark {
  /** The `msgSeq` up to which the member has read; 0 at first. */
  readSeq: number;
  /** Messages by others after that, at most 100. */
  unreadCount: number;
}

/**
 * Moves a member's mark up to `seq`, or to the newest change if that is earlier. A mark never moves back. Writes only if it
 * moves: a client marks a conversation as read again and again.
 *
 * @returns whether it moved, and where it is now.
 */
export async function markRead(
  storage: Pick<Storage, "db" | "write">,
  userId: string,
  conversationKey: string,
  seq: number,
): Promise<{ moved: boolean; readSeq: number }> {
  const { lastSeq, readSeq } = await findMark(storage.db, userId, conversationKey);
  const upTo = Math.min(seq, lastSeq);
  if (upTo <= readSeq) return { moved: false, readSeq };
  if (await storage.write((tx) => raiseReadMark(tx, userId, conversationKey, upTo))) {
    return { moved: true, readSeq: upTo };
  }
  return { moved: false, readSeq: (await findMark(storage.db, userId, conversationKey)).readSeq };
}

async function findMark(
  db: Db,
  userId: string,
  conversationKey: string,
): Promise<{ lastSeq: number; readSeq: number }> {
  const row = await db
    .selectFrom("conversations")
    .leftJoin("member_reads", (join) =>
      join
        .onRef("member_reads.conversation_key", "=", "conversations.conversation_key")
        .on("member_reads.user_id", "=", userId),
    )
    .select(["last_seq as lastSeq", "member_reads.seq as readSeq"])
    .where("conversations.conversation_key", "=", conversationKey)
    .executeTakeFirst();
  return { lastSeq: row?.lastSeq ?? 0, readSeq: row?.readSeq ?? 0 };
}

/** @returns false when the mark was there already, or further on. */
async function raiseReadMark(tx: Db, userId: string, conversationKey: string, seq: number): Promise<boolean> {
  const raised = await tx
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
  return raised !== undefined;
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
      order by messages.msg_seq desc limit ${sql.lit(MAX_EXAMINED)}
    ) as newest
    where not (sender_type = 'MEMBER' and sender_id = ${userId})
    limit ${sql.lit(MAX_UNREAD)}
  ) as unread)`;
}
