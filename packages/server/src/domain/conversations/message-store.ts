import type { MessageType } from "@portico/protocol";
import { prepared } from "../../platform/storage/prepared.ts";
import { RaceLost } from "../../platform/storage/savepoint.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { countUp } from "./sequence-store.ts";

/** The author of a message: a bot by its appId, a member by their userId. */
export interface Sender {
  type: "BOT" | "MEMBER";
  id: string;
}

/** A message to store. `content` and `mentions` are JSON text. */
export interface NewMessage {
  conversationKey: string;
  sender: Sender;
  clientMessageId: string | null;
  msgType: MessageType;
  content: string;
  mentions: string;
  cardVersion: number | null;
  parentMessageId: number | null;
  /** Epoch milliseconds. */
  now: number;
}

/** The position of a message. */
export interface MessagePlace {
  messageId: number;
  msgSeq: number;
}

const selectByClientId = prepared<{ type: Sender["type"]; id: string; clientMessageId: string }>()((db, param) =>
  db
    .selectFrom("messages")
    .select(["message_id as messageId", "msg_seq as msgSeq"])
    .where("sender_type", "=", param("type"))
    .where("sender_id", "=", param("id"))
    .where("client_message_id", "=", param("clientMessageId")),
);

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

/** The message that `sender` has sent with `clientMessageId`, or null. */
export async function findByClientMessageId(
  db: Db,
  sender: Sender,
  clientMessageId: string,
): Promise<MessagePlace | null> {
  return (await selectByClientId.first(db, { ...sender, clientMessageId })) ?? null;
}

/**
 * Appends a message to its conversation. This locks the counter's row until the transaction ends, which makes `msgSeq`
 * gapless. So call it late in the transaction: afterwards write only rows that nobody else waits for.
 *
 * @throws RaceLost when a message with the same `clientMessageId` was stored meanwhile.
 */
export async function appendMessage(tx: Db, message: NewMessage): Promise<MessagePlace> {
  const { sender, ...rest } = message;
  const [, place] = await Promise.all([countUp.affected(tx, rest), insertMessage.first(tx, { ...rest, ...sender })]);
  if (place === undefined) throw new RaceLost("the clientMessageId was used meanwhile");
  return place;
}
