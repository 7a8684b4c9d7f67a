import type { Change, ClientMessage, Mention, MessageType } from "@portico/protocol";
import { sql } from "kysely";
import { JsonText, withMember } from "../../platform/http/json-text.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { preparedForKeys } from "../../platform/storage/prepared-for-keys.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { lengthOf } from "./page-size.ts";
import { findLastSeq } from "./sequence-store.ts";

const selectBetween = prepared<{ conversationKey: string; from: number; to: number; limit: number }>()((db, param) =>
  selectMessages(db)
    .where("messages.conversation_key", "=", param("conversationKey"))
    .where("messages.msg_seq", ">=", param("from"))
    .where("messages.msg_seq", "<=", param("to"))
    .orderBy("messages.msg_seq")
    .limit(param("limit")),
);

/** Reads the messages of a conversation between two `msgSeq`, both included, oldest first; at most `limit`. */
export async function listConversationMessages(
  db: Db,
  conversationKey: string,
  range: { from: number; to: number; limit: number },
): Promise<ClientMessage[]> {
  return (await selectBetween.rows(db, { conversationKey, ...range })).map(toClientMessage);
}

/** One index lookup per conversation, however many messages it has. */
const selectNewest = preparedForKeys<string>()((db, keys) =>
  db
    .selectFrom("conversations")
    .innerJoin("messages", (join) =>
      join.on("messages.message_id", "=", ({ selectFrom }) =>
        selectFrom("messages as newest")
          .select("newest.message_id")
          .whereRef("newest.conversation_key", "=", "conversations.conversation_key")
          .orderBy("newest.msg_seq", "desc")
          .limit(sql.lit(1)),
      ),
    )
    .select((eb) => ["messages.message_id as messageId", "conversations.conversation_key as key", lengthOf(eb)])
    .where("conversations.conversation_key", "in", keys),
);

/** The newest message of each conversation that has one, with its size; by conversation key. */
export async function findLastMessages(
  db: Db,
  conversationKeys: readonly string[],
): Promise<Map<string, { messageId: number; bytes: number }>> {
  const rows = await selectNewest.rows(db, conversationKeys, {});
  return new Map(rows.map(({ key, ...found }) => [key, found]));
}

const selectById = preparedForKeys<number>()((db, messageIds) =>
  selectMessages(db).where("messages.message_id", "in", messageIds),
);

/** Messages by messageId. */
export async function findMessagesById(db: Db, messageIds: readonly number[]): Promise<Map<number, ClientMessage>> {
  const rows = await selectById.rows(db, messageIds, {});
  return new Map(rows.map((row) => [row.message_id, toClientMessage(row)]));
}

const selectChanges = prepared<{ conversationKey: string; afterSeq: number; to: number; limit: number }>()(
  (db, param) =>
    selectMessages(db)
      .innerJoin("conversation_changes", "conversation_changes.message_id", "messages.message_id")
      .select(["conversation_changes.msg_seq as change_seq", "conversation_changes.type as change_type"])
      .where("conversation_changes.conversation_key", "=", param("conversationKey"))
      .where("conversation_changes.msg_seq", ">", param("afterSeq"))
      .where("conversation_changes.msg_seq", "<=", param("to"))
      .orderBy("conversation_changes.msg_seq")
      .limit(param("limit")),
);

/**
 * Reads the changes of a conversation after `afterSeq`, in order, at most `limit`. Each contains its message as it is
 * now; a message recalled since shows no content.
 */
export async function listConversationChanges(
  db: Db,
  conversationKey: string,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<Change[]> {
  // Both reads below must stop at the same `msgSeq`. Otherwise a change committed between them would leave a gap that
  // is never filled.
  const lastSeq = await findLastSeq(db, conversationKey);
  const [created, later] = await Promise.all([
    listConversationMessages(db, conversationKey, { from: afterSeq + 1, to: lastSeq, limit }),
    selectChanges.rows(db, { conversationKey, afterSeq, to: lastSeq, limit }),
  ]);
  const changes: Change[] = [
    ...created.map((message) => ({ msgSeq: message.msgSeq, type: "message.created" as const, message })),
    ...later.map((row) => ({ msgSeq: row.change_seq, type: row.change_type, message: toClientMessage(row) })),
  ];
  return changes.sort((a, b) => a.msgSeq - b.msgSeq).slice(0, limit);
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
  const mentions: Mention[] = recalled || row.mentions === "[]" ? [] : JSON.parse(row.mentions);
  return {
    messageId: row.message_id,
    msgSeq: row.msg_seq,
    msgType: row.msg_type,
    content: recalled ? null : withMentions(row.content, row.msg_type, mentions),
    sender: { type: row.sender_type, id: row.sender_id, name: row.bot_name ?? row.member_name ?? "" },
    mentions,
    cardVersion: row.card_version,
    recalled,
    parentMessageId: row.parent_message_id,
    createTime: row.created_at,
  };
}

/** Stored content plus the mentioned accounts, if any; a post is returned as it was sent. */
export function withMentions(content: string, msgType: MessageType, mentions: Mention[]): JsonText {
  const json = new JsonText(content);
  if (mentions.length === 0 || msgType === "post") return json;
  return withMember(
    json,
    "mentions",
    mentions.map((mention) => mention.userId),
  );
}
