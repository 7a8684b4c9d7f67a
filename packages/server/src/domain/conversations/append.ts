import { joint, LOCK_RANK } from "../../platform/storage/joint.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { RaceLost } from "../../platform/storage/savepoint.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { appendAll } from "./append-all.ts";
import type { MessagePlace, NewChange, NewEntry, NewMessage, Sender } from "./new-entry.ts";
import { countUp } from "./sequence-store.ts";

/**
 * Appends a message to its conversation. This locks the counter's row until the transaction ends, which makes `msgSeq`
 * gapless. So call it late in the transaction: afterwards write only rows that nobody else waits for.
 *
 * @throws RaceLost when a message with the same `clientMessageId` was stored meanwhile.
 */
export async function appendMessage(tx: Db, message: NewMessage): Promise<MessagePlace> {
  return await append(tx, { kind: "message", ...message });
}

/**
 * Records a change of a message.
 *
 * @returns the `msgSeq` of the change. Call it at the end of the transaction.
 */
export async function appendChange(tx: Db, change: NewChange): Promise<number> {
  return (await append(tx, { kind: "change", ...change })).msgSeq;
}

/**
 * Records changes of many messages, of one conversation after another. Call it at the end of the transaction.
 *
 * @returns their places, in their order.
 */
export async function appendChanges(tx: Db, dialect: Dialect, changes: readonly NewChange[]): Promise<MessagePlace[]> {
  const entries = changes.map((change) => ({ kind: "change" as const, ...change }));
  if (entries.length === 0) return [];
  if (dialect === "postgres") return await appendAll(tx, entries);
  const places: MessagePlace[] = [];
  for (const entry of entries) places.push(await appendAlone(tx, entry));
  return places;
}

const append = joint<NewEntry, MessagePlace>({
  alone: appendAlone,
  joint: appendAll,
  changed: () => true,
  lockRank: LOCK_RANK.counter,
});

async function appendAlone(tx: Db, entry: NewEntry): Promise<MessagePlace> {
  if (entry.kind === "change") {
    const { conversationKey, type, messageId } = entry;
    const params = { conversationKey, type, messageId };
    const [, row] = await Promise.all([countUp.affected(tx, params), insertChange.first(tx, params)]);
    if (row === undefined) throw new Error("an insert returned nothing");
    return { messageId, msgSeq: row.msgSeq };
  }
  const { sender, ...rest } = entry;
  const [, place] = await Promise.all([countUp.affected(tx, rest), insertMessage.first(tx, { ...rest, ...sender })]);
  if (place === undefined) throw new RaceLost("the clientMessageId was used meanwhile");
  return place;
}

const insertMessage = prepared<Omit<NewMessage, "sender"> & { type: Sender["type"]; id: string }>()((db, param) =>
  db
    .insertInto("messages")
    .values(({ selectFrom }) => ({
      conversation_key: param("conversationKey"),
      msg_seq: selectFrom("conversations")
        .select("last_seq")
        .where("conversations.conversation_key", "=", param("conversationKey")),
      sender_type: param("type"),
      sender_id: param("id"),
      client_message_id: param("clientMessageId"),
      msg_type: param("msgType"),
      content: param("content"),
      mentions: param("mentions"),
      card_version: param("cardVersion"),
      parent_message_id: param("parentMessageId"),
      created_at: param("now"),
    }))
    .onConflict((conflict) =>
      conflict
        .columns(["sender_type", "sender_id", "client_message_id"])
        .where("client_message_id", "is not", null)
        .doNothing(),
    )
    .returning(["message_id as messageId", "msg_seq as msgSeq"]),
);

const insertChange = prepared<{ conversationKey: string; type: NewChange["type"]; messageId: number }>()((db, param) =>
  db
    .insertInto("conversation_changes")
    .values(({ selectFrom }) => ({
      conversation_key: param("conversationKey"),
      msg_seq: selectFrom("conversations")
        .select("last_seq")
        .where("conversations.conversation_key", "=", param("conversationKey")),
      type: param("type"),
      message_id: param("messageId"),
    }))
    .returning("msg_seq as msgSeq"),
);
