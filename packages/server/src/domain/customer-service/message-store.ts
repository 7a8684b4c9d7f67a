import type { CustomerMessage, CustomerMessageType, CustomerSenderType } from "@portico/protocol";
import { sql } from "kysely";
import { JsonText } from "../../platform/http/json-text.ts";
import { groupsByBytes } from "../../platform/storage/groups-by-bytes.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import { preparedForKeys } from "../../platform/storage/prepared-for-keys.ts";
import { RaceLost } from "../../platform/storage/savepoint.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { countUp, findLastSeq } from "../conversations/sequence-store.ts";
import { integratorsIdOf } from "./client-message-id.ts";

/** A message to store. */
export type NewCustomerMessage = {
  appId: string;
  visitorId: string;
  sessionId: number;
  senderType: CustomerSenderType;
  /** userId of the agent who wrote it. */
  agentUserId: string | null;
  thirdMsgId: string | null;
  msgType: CustomerMessageType;
  /** JSON text. */
  content: string;
  now: number;
};

const VISITOR_PREFIX = "visitor:";

/** The counter key of a visitor's messages. */
export function visitorKey(visitorId: string): string {
  return VISITOR_PREFIX + visitorId;
}

/** The visitor of a counter key; see {@link visitorKey}. */
export function visitorIdOf(key: string): string {
  return key.slice(VISITOR_PREFIX.length);
}

const insert = prepared<NewCustomerMessage & { key: string }>()((db, param) =>
  db
    .insertInto("customer_messages")
    .values(({ selectFrom }) => ({
      app_id: param("appId"),
      visitor_id: param("visitorId"),
      session_id: param("sessionId"),
      seq: selectFrom("conversations").select("last_seq").where("conversation_key", "=", param("key")),
      sender_type: param("senderType"),
      agent_user_id: param("agentUserId"),
      agent_name: selectFrom("members").select("name").where("user_id", "=", param("agentUserId")),
      third_msg_id: param("thirdMsgId"),
      msg_type: param("msgType"),
      content: param("content"),
      created_at: param("now"),
    }))
    .onConflict((conflict) =>
      conflict.columns(["app_id", "sender_type", "third_msg_id"]).where("third_msg_id", "is not", null).doNothing(),
    )
    .returning(["message_id as messageId", "seq"]),
);

/**
 * Appends a visitor's message. This locks the counter's row until the transaction ends, which makes `seq` gapless.
 *
 * @throws RaceLost when the same `thirdMsgId` was stored meanwhile; the transaction must be retried.
 */
export async function insertMessage(tx: Db, message: NewCustomerMessage): Promise<{ messageId: number; seq: number }> {
  const key = visitorKey(message.visitorId);
  const [, row] = await Promise.all([
    countUp.affected(tx, { conversationKey: key }),
    insert.first(tx, { ...message, key }),
  ]);
  if (row === undefined) throw new RaceLost("the thirdMsgId was taken meanwhile");
  return row;
}

/** A stored message. */
export interface CustomerMessageRow extends Omit<CustomerMessage, "content"> {
  /** The name of the agent who wrote it, as it was then. */
  agentName: string | null;
  /** JSON text. */
  content: string;
}

function selectMessages(db: Db) {
  return db
    .selectFrom("customer_messages")
    .leftJoin("members", "members.user_id", "customer_messages.agent_user_id")
    .select(({ fn }) => [
      "message_id as messageId",
      "third_msg_id as thirdMsgId",
      "session_id as sessionId",
      "visitor_id as visitorId",
      "members.username as agentId",
      fn.coalesce("agent_name", "members.name").as("agentName"),
      "sender_type as senderType",
      "msg_type as msgType",
      "content",
      "seq",
      "created_at as createdAt",
    ]);
}

const selectByThirdMsgId = prepared<{ appId: string; senderType: CustomerSenderType; thirdMsgId: string }>()(
  (db, param) =>
    selectMessages(db)
      .where("app_id", "=", param("appId"))
      .where("sender_type", "=", param("senderType"))
      .where("third_msg_id", "=", param("thirdMsgId")),
);
const selectRange = prepared<{ visitorId: string; from: number; to: number; limit: number }>()((db, param) =>
  selectMessages(db)
    .where("visitor_id", "=", param("visitorId"))
    .where("seq", ">=", param("from"))
    .where("seq", "<=", param("to"))
    .orderBy("seq")
    .limit(param("limit")),
);

/** The message stored under `thirdMsgId` for an application and direction; null when there is none. */
export async function findByThirdMsgId(
  db: Db,
  appId: string,
  senderType: CustomerSenderType,
  thirdMsgId: string,
): Promise<CustomerMessageRow | null> {
  return (await selectByThirdMsgId.first(db, { appId, senderType, thirdMsgId })) ?? null;
}

/** A visitor's messages between two `seq`, both included, oldest first; at most 100. */
export async function listMessages(
  db: Db,
  visitorId: string,
  { from, to }: { from: number; to: number },
): Promise<CustomerMessageRow[]> {
  return await selectRange.rows(db, { visitorId, from, to, limit: MAX_PAGE });
}

/** The `seq` of the visitor's last message; 0 when there is none. */
export async function lastSeqOf(db: Db, visitorId: string): Promise<number> {
  return await findLastSeq(db, visitorKey(visitorId));
}

/** The message as the API returns it. `content` is a JsonText. */
export function toMessage({ agentName: _, ...row }: CustomerMessageRow): CustomerMessage {
  return { ...row, thirdMsgId: integratorsIdOf(row.thirdMsgId), content: new JsonText(row.content) };
}

const selectById = preparedForKeys<number>()((db, messageIds) =>
  selectMessages(db).where("message_id", "in", messageIds),
);

/** Messages by messageId; those that are not there are missing. */
export async function listMessagesById(
  db: Db,
  messageIds: readonly number[],
): Promise<Map<number, CustomerMessageRow>> {
  const rows = await selectById.rows(db, messageIds, {});
  return new Map(rows.map((row) => [row.messageId, row]));
}

/** The content sizes of messages in bytes, by messageId. */
export async function measureMessagesById(db: Db, messageIds: readonly number[]): Promise<Map<number, number>> {
  if (messageIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("customer_messages")
    .select(({ ref }) => ["message_id as messageId", sql<number>`octet_length(${ref("content")})`.as("bytes")])
    .where("message_id", "in", messageIds)
    .execute();
  return new Map(rows.map(({ messageId, bytes }) => [messageId, bytes]));
}

const selectLengths = prepared<{ visitorId: string; from: number; to: number; limit: number }>()((db, param) =>
  db
    .selectFrom("customer_messages")
    .select(({ ref }) => ["seq", sql<number>`octet_length(${ref("content")})`.as("bytes")])
    .where("visitor_id", "=", param("visitorId"))
    .where("seq", ">=", param("from"))
    .where("seq", "<=", param("to"))
    .orderBy("seq")
    .limit(param("limit")),
);

/**
 * The content sizes of a visitor's messages between two `seq`, both included, in order; at most 100. The database knows
 * the lengths without reading the contents.
 */
export async function measureMessages(
  db: Db,
  visitorId: string,
  { from, to }: { from: number; to: number },
): Promise<{ seq: number; bytes: number }[]> {
  return from > to ? [] : await selectLengths.rows(db, { visitorId, from, to, limit: MAX_PAGE });
}

/** The most messages of a page, and the approximate bytes that a stream reads at a time. */
const MAX_PAGE = 100;
const STREAM_PAGE_BYTES = 512 * 1024;

/** Like {@link listMessages}, but only as many as fit on a page, and at least one. */
export async function listMessagePage(
  db: Db,
  visitorId: string,
  { from, to }: { from: number; to: number },
): Promise<CustomerMessageRow[]> {
  if (from >= to) return await listMessages(db, visitorId, { from, to });
  const lengths = await measureMessages(db, visitorId, { from, to });
  const [page] = groupsByBytes(lengths, ({ bytes }) => bytes, STREAM_PAGE_BYTES);
  return await listMessages(db, visitorId, { from, to: page?.items.at(-1)?.seq ?? from });
}

/** The last message of each visitor who has one, found by its number, with its size. */
const selectLast = preparedForKeys<string>()((db, visitorIds) =>
  db
    .selectFrom("visitors")
    .innerJoin("customer_messages", (join) =>
      join.on("customer_messages.message_id", "=", ({ selectFrom }) =>
        selectFrom("customer_messages as last")
          .select("last.message_id")
          .whereRef("last.visitor_id", "=", "visitors.visitor_id")
          .where("last.seq", "=", (eb) =>
            eb
              .selectFrom("conversations")
              .select("last_seq")
              .where(
                "conversation_key",
                "=",
                sql<string>`${sql.lit(VISITOR_PREFIX)} || ${eb.ref("visitors.visitor_id")}`,
              ),
          ),
      ),
    )
    .select([
      "visitors.visitor_id as visitorId",
      "customer_messages.message_id as messageId",
      sql<number>`octet_length(customer_messages.content)`.as("bytes"),
    ])
    .where("visitors.visitor_id", "in", visitorIds),
);

/** The size of the last message of each visitor, by visitorId; visitors without messages are missing. */
export async function measureLastMessages(db: Db, visitorIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await selectLast.rows(db, visitorIds, {});
  return new Map(rows.map(({ visitorId, bytes }) => [visitorId, bytes]));
}

/** The last message of each visitor, by visitorId; visitors without messages are missing. */
export async function lastMessagesOf(db: Db, visitorIds: readonly string[]): Promise<Map<string, CustomerMessageRow>> {
  const rows = await selectLast.rows(db, visitorIds, {});
  const messages = await selectById.rows(
    db,
    rows.map(({ messageId }) => messageId),
    {},
  );
  return new Map(messages.map((row) => [row.visitorId, row]));
}
