import type { ClientMessage, Mention } from "@portico/protocol";
import type { Db } from "../storage/schema.ts";

/**
 * Reads messages of a conversation as members see them, oldest first: the `limit` newest whose place is below
 * `beforeSeq`.
 */
export async function readMessages(
  db: Db,
  conversationKey: string,
  range: { beforeSeq?: number; limit: number },
): Promise<ClientMessage[]> {
  let query = selectMessages(db).where("conversation_key", "=", conversationKey);
  if (range.beforeSeq !== undefined) query = query.where("msg_seq", "<", range.beforeSeq);
  const rows = await query.orderBy("msg_seq", "desc").limit(range.limit).execute();
  return rows.reverse().map(toClientMessage);
}

/** The newest message of each conversation that has one, by conversation key. */
export async function readLastMessages(db: Db, conversationKeys: string[]): Promise<Map<string, ClientMessage>> {
  if (conversationKeys.length === 0) return new Map();
  const rows = await selectMessages(db)
    .where("conversation_key", "in", conversationKeys)
    .where("msg_seq", "=", ({ selectFrom }) =>
      selectFrom("messages as newer")
        .select(({ fn }) => fn.max("newer.msg_seq").as("newest"))
        .whereRef("newer.conversation_key", "=", "messages.conversation_key"),
    )
    .execute();
  return new Map(rows.map((row) => [row.conversation_key, toClientMessage(row)]));
}

function selectMessages(db: Db) {
  return db
    .selectFrom("messages")
    .leftJoin("apps", (join) => join.onRef("apps.app_id", "=", "sender_id").on("sender_type", "=", "BOT"))
    .leftJoin("members", (join) => join.onRef("members.user_id", "=", "sender_id").on("sender_type", "=", "MEMBER"))
    .selectAll("messages")
    .select(["apps.display_name as bot_name", "members.name as member_name"]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectMessages>["execute"]>>[number];

function toClientMessage(row: Row): ClientMessage {
  const recalled = row.recalled_at !== null;
  const mentions: Mention[] = recalled ? [] : JSON.parse(row.mentions);
  return {
    messageId: row.message_id,
    msgSeq: row.msg_seq,
    msgType: row.msg_type,
    content: recalled ? null : contentOf(row.content, mentions),
    sender: { type: row.sender_type, id: row.sender_id, name: row.bot_name ?? row.member_name ?? "" },
    mentions,
    cardVersion: row.card_version,
    recalled,
    parentMessageId: row.parent_message_id,
    createTime: row.created_at,
  };
}

/** The stored content with the accounts that are mentioned, when any are. */
function contentOf(json: string, mentions: Mention[]): unknown {
  const content: unknown = JSON.parse(json);
  if (mentions.length === 0 || typeof content !== "object") return content;
  return { ...content, mentions: mentions.map((mention) => mention.userId) };
}
