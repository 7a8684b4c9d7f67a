import type { OnConflictBuilder } from "kysely";
import { joint, LOCK_RANK } from "../../platform/storage/joint.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { RaceLost, TransactionLost } from "../../platform/storage/savepoint.ts";
import type { Db, Dialect, Schema } from "../../platform/storage/schema.ts";
import { appendAll } from "./append-all.ts";
import type { MessagePlace, NewChange, NewEntry, NewMessage, Sender } from "./new-entry.ts";
import { countUp, lastSeqHere } from "./sequence-store.ts";

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

/**
 * Like {@link appendMessage}, on SQLite, where nobody else writes meanwhile. When it fails it has changed nothing, so it needs
 * no savepoint: the message is inserted first, and only the engine itself can fail to raise a counter.
 *
 * @throws RaceLost when a message with the same `clientMessageId` is stored.
 * @throws TransactionLost when the counter could not follow the message: the transaction must not be committed.
 */
export function appendMessageHere(tx: Db, message: NewMessage): MessagePlace {
  const { sender, ...rest } = message;
  const { conversationKey } = message;
  const msgSeq = lastSeqHere(tx, conversationKey) + 1;
  const messageId = insertMessageAt.inserted(tx, { ...rest, ...sender, msgSeq });
  if (messageId === undefined) throw new RaceLost("the clientMessageId is used");
  try {
    void countUp.affected(tx, { conversationKey });
  } catch (cause) {
    throw new TransactionLost("the counter of a conversation does not follow its message", { cause });
  }
  return { messageId, msgSeq };
}

type MessageRow = Omit<NewMessage, "sender"> & { type: Sender["type"]; id: string };

const insertMessage = prepared<MessageRow>()((db, param) =>
  db
    .insertInto("messages")
    .values(({ selectFrom }) => ({
      conversation_key: param("conversationKey"),
      msg_seq: selectFrom("conversations")
        .select("last_seq")
        .where("conversations.conversation_key", "=", param("conversationKey")),
      ...columnsOf(param),
    }))
    .onConflict(unlessSent)
    .returning(["message_id as messageId", "msg_seq as msgSeq"]),
);

const insertMessageAt = prepared<MessageRow & { msgSeq: number }>()((db, param) =>
  db
    .insertInto("messages")
    .values({ conversation_key: param("conversationKey"), msg_seq: param("msgSeq"), ...columnsOf(param) })
    .onConflict(unlessSent),
);

/** The columns of a message beside its place. */
function columnsOf(param: <Name extends keyof MessageRow>(name: Name) => MessageRow[Name]) {
  return {
    sender_type: param("type"),
    sender_id: param("id"),
    client_message_id: param("clientMessageId"),
    msg_type: param("msgType"),
    content: param("content"),
    mentions: param("mentions"),
    card_version: param("cardVersion"),
    parent_message_id: param("parentMessageId"),
    created_at: param("now"),
  };
}

/** Inserts nothing when the sender has sent a message with the same `clientMessageId`. */
function unlessSent(conflict: OnConflictBuilder<Schema, "messages">) {
  return conflict
    .columns(["sender_type", "sender_id", "client_message_id"])
    .where("client_message_id", "is not", null)
    .doNothing();
}

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
