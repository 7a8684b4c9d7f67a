import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import { RaceLost } from "../../platform/storage/savepoint.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { MessagePlace, NewEntry } from "./new-entry.ts";

/** The most characters of content in one statement. */
const MAX_CONTENT = 1024 * 1024;

/** An entry, and how many of its conversation follow it in the list. */
interface Placed<Entry> {
  entry: Entry;
  behind: number;
}

type Message = Extract<NewEntry, { kind: "message" }>;
type Change = Extract<NewEntry, { kind: "change" }>;

/**
 * Appends entries to their conversations in their order: the counters of all, then the rows. On PostgreSQL only.
 *
 * @throws RaceLost when one was not stored because a message has its `clientMessageId`.
 */
export async function appendAll(tx: Db, entries: readonly NewEntry[]): Promise<MessagePlace[]> {
  const left = new Map<string, number>();
  for (const { conversationKey } of entries) left.set(conversationKey, (left.get(conversationKey) ?? 0) + 1);
  // In one order, so that transactions cannot deadlock.
  const keys = [...left.keys()].sort();
  const counts = keys.map((key) => left.get(key) ?? 0);
  const placed = entries.map((entry): Placed<NewEntry> => {
    const behind = (left.get(entry.conversationKey) ?? 0) - 1;
    left.set(entry.conversationKey, behind);
    return { entry, behind };
  });
  // The statements are pipelined; the database runs them in order.
  const [, places] = await Promise.all([countUpAll.affected(tx, { keys, counts }), insertAll(tx, placed)]);
  return entries.map((entry) => {
    const place = places.get(entry.conversationKey)?.shift();
    if (place === undefined) throw new RaceLost("a clientMessageId was used meanwhile");
    return place;
  });
}

/** Inserts the rows. Returns the places that each conversation's entries have got, in their order. */
async function insertAll(tx: Db, placed: readonly Placed<NewEntry>[]): Promise<Map<string, MessagePlace[]>> {
  const messages = placed.filter((item): item is Placed<Message> => item.entry.kind === "message");
  const changes = placed.filter((item): item is Placed<Change> => item.entry.kind === "change");
  const inserted = await Promise.all([
    ...inPortions(messages).map((portion) => insertMessages.rows(tx, columnsOfMessages(portion))),
    ...(changes.length > 0 ? [insertChanges.rows(tx, columnsOfChanges(changes))] : []),
  ]);
  const rows = inserted.flat();
  if (rows.length < placed.length) throw new RaceLost("a clientMessageId was used meanwhile");
  const places = new Map<string, MessagePlace[]>();
  for (const { key, ...place } of rows.sort((a, b) => a.msgSeq - b.msgSeq)) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
  }
  return places;
}

/** Divides messages, so that no statement becomes very long. */
function inPortions(messages: readonly Placed<Message>[]): Placed<Message>[][] {
  const portions: Placed<Message>[][] = [];
  let room = 0;
  for (const message of messages) {
    const { length } = message.entry.content;
    if (portions.length === 0 || length > room) {
      portions.push([]);
      room = MAX_CONTENT;
    }
    portions.at(-1)?.push(message);
    room -= length;
  }
  return portions;
}

const countUpAll = prepared<{ keys: string[]; counts: number[] }>()((db, param) => ({
  compile: () =>
    sql`
      insert into conversations (conversation_key, last_seq)
      select * from unnest(${param("keys")}::text[], ${param("counts")}::bigint[])
      on conflict (conversation_key) do update set last_seq = conversations.last_seq + excluded.last_seq
    `.compile(db),
}));

interface Row {
  key: string;
  messageId: number;
  msgSeq: number;
}

type MessageColumns = ReturnType<typeof columnsOfMessages>;

function columnsOfMessages(messages: readonly Placed<Message>[]) {
  const list = <Value>(pick: (message: Message) => Value) => messages.map(({ entry }) => pick(entry));
  return {
    behind: messages.map(({ behind }) => behind),
    keys: list(({ conversationKey }) => conversationKey),
    senderTypes: list(({ sender }) => sender.type),
    senderIds: list(({ sender }) => sender.id),
    clientMessageIds: list(({ clientMessageId }) => clientMessageId),
    types: list(({ msgType }) => msgType),
    contents: list(({ content }) => content),
    mentions: list(({ mentions }) => mentions),
    cardVersions: list(({ cardVersion }) => cardVersion),
    parents: list(({ parentMessageId }) => parentMessageId),
    times: list(({ now }) => now),
  };
}

const insertMessages = prepared<MessageColumns>()((db, param) => ({
  compile: () =>
    sql<Row>`
      insert into messages (conversation_key, msg_seq, sender_type, sender_id, client_message_id, msg_type, content,
        mentions, card_version, parent_message_id, created_at)
      select key, (select last_seq from conversations where conversation_key = key) - behind, sender_type, sender_id,
        client_message_id, msg_type, content, mentions, card_version, parent_message_id, created_at
      from unnest(${param("behind")}::bigint[], ${param("keys")}::text[], ${param("senderTypes")}::text[],
        ${param("senderIds")}::text[], ${param("clientMessageIds")}::text[], ${param("types")}::text[],
        ${param("contents")}::text[], ${param("mentions")}::text[], ${param("cardVersions")}::bigint[],
        ${param("parents")}::bigint[], ${param("times")}::bigint[])
        as entry(behind, key, sender_type, sender_id, client_message_id, msg_type, content, mentions, card_version,
          parent_message_id, created_at)
      on conflict (sender_type, sender_id, client_message_id) where client_message_id is not null do nothing
      returning conversation_key as key, message_id as "messageId", msg_seq as "msgSeq"
    `.compile(db),
}));

function columnsOfChanges(changes: readonly Placed<Change>[]) {
  return {
    behind: changes.map(({ behind }) => behind),
    keys: changes.map(({ entry }) => entry.conversationKey),
    types: changes.map(({ entry }) => entry.type),
    messageIds: changes.map(({ entry }) => entry.messageId),
  };
}

const insertChanges = prepared<ReturnType<typeof columnsOfChanges>>()((db, param) => ({
  compile: () =>
    sql<Row>`
      insert into conversation_changes (conversation_key, msg_seq, type, message_id)
      select key, (select last_seq from conversations where conversation_key = key) - behind, type, message_id
      from unnest(${param("behind")}::bigint[], ${param("keys")}::text[], ${param("types")}::text[],
        ${param("messageIds")}::bigint[]) as entry(behind, key, type, message_id)
      returning conversation_key as key, message_id as "messageId", msg_seq as "msgSeq"
    `.compile(db),
}));
