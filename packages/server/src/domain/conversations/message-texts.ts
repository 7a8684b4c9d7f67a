import { type RawBuilder, sql } from "kysely";
import { SMALL_ANSWER_BYTES } from "../../platform/http/large-answers.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";

/*
 * Pages of messages as JSON text that the database writes, in one statement: reading their rows and writing them again
 * costs the event loop several times as much. The texts are those of message-view.ts, character for character.
 */

/** How an engine writes JSON. */
interface JsonOf {
  /** A text as JSON, as `JSON.stringify` writes it. */
  quote(text: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The userIds of a message's mentions, as a JSON array without spaces. */
  mentionedIds: RawBuilder<unknown>;
}

const SQLITE: JsonOf = {
  quote: (text) => sql`json_quote(${text})`,
  mentionedIds: sql`(select json_group_array(json_extract(one.value, '$.userId') order by one.key)
    from json_each(messages.mentions) as one)`,
};
const POSTGRES: JsonOf = {
  quote: (text) => sql`cast(to_json(${text}) as text)`,
  mentionedIds: sql`(select '[' || string_agg(cast(to_json(one.value ->> 'userId') as text), ',' order by one.place) || ']'
    from json_array_elements(cast(messages.mentions as json)) with ordinality as one(value, place))`,
};

/** A row of `messages` as a ClientMessage. Names are subqueries, so that each is looked up by its key. */
function messageText({ quote, mentionedIds }: JsonOf): RawBuilder<string> {
  const name = sql`coalesce(case messages.sender_type
    when 'BOT' then (select display_name from apps where app_id = messages.sender_id)
    else (select name from members where user_id = messages.sender_id) end, '')`;
  const content = sql`case when messages.recalled_at is not null then 'null'
    when messages.mentions = '[]' or messages.msg_type = 'post' then messages.content
    else substr(messages.content, 1, length(messages.content) - 1) || ',"mentions":' || ${mentionedIds} || '}' end`;
  return sql<string>`'{"messageId":' || messages.message_id || ',"msgSeq":' || messages.msg_seq
    || ',"msgType":"' || messages.msg_type || '","content":' || ${content}
    || ',"sender":{"type":"' || messages.sender_type || '","id":' || ${quote(sql`messages.sender_id`)}
    || ',"name":' || ${quote(name)}
    || '},"mentions":' || case when messages.recalled_at is null then messages.mentions else '[]' end
    || ',"cardVersion":' || coalesce(cast(messages.card_version as text), 'null')
    || ',"recalled":' || case when messages.recalled_at is null then 'false' else 'true' end
    || ',"parentMessageId":' || coalesce(cast(messages.parent_message_id as text), 'null')
    || ',"createTime":' || messages.created_at || '}'`;
}

/** The most bytes of contents that are read without reserving memory for them. */
const MOST_BYTES = sql.lit(SMALL_ANSWER_BYTES);

/** Of the content alone: what stands behind a long content in its row is slow to read. */
const CONTENT_BYTES = sql`octet_length(content) as bytes`;

/**
 * Whether a page is written here; the second part, which reads more, is looked at only when the first is true. Mentions
 * with escaped characters, which an account that nobody has may contain, are left to message-view.ts: PostgreSQL has no
 * texts with some of them.
 */
const IS_WRITTEN = sql`(select coalesce(sum(bytes), 0) from page) <= ${MOST_BYTES} and (
  select coalesce(sum(page.bytes + octet_length(messages.mentions)), 0) <= ${MOST_BYTES}
    and coalesce(sum(case when replace(messages.mentions, ${sql.lit("\\u")}, '') = messages.mentions then 0 else 1 end), 0) = 0
  from page join messages on messages.message_id = page.message_id)`;

/** A page as JSON, and how far its conversation had come when it was read. */
export interface PageText {
  /** The items, separated by commas; null when message-view.ts has to read them. */
  items: string | null;
  lastSeq: number;
}

/** In the same statement as the page, so that both are of one state. */
function lastSeqOf(conversationKey: string): RawBuilder<number> {
  return sql<number>`coalesce(
    (select last_seq from conversations where conversation_key = ${conversationKey}), 0) as "lastSeq"`;
}

function selectHistory(json: JsonOf) {
  return prepared<{ conversationKey: string; beforeSeq: number; limit: number }>()((db, param) => ({
    compile: () =>
      sql<PageText>`
        with page as materialized (
          select message_id, msg_seq, ${CONTENT_BYTES} from messages
          where conversation_key = ${param("conversationKey")} and msg_seq < ${param("beforeSeq")}
          order by msg_seq desc limit ${param("limit")}
        )
        select case when ${IS_WRITTEN} then coalesce((
          select string_agg(${messageText(json)}, ',' order by page.msg_seq)
          from page join messages on messages.message_id = page.message_id
        ), '') end as items, ${lastSeqOf(param("conversationKey"))}
      `.compile(db),
  }));
}

/** One statement sees one state: a change that is committed meanwhile is in it with all before it, or not at all. */
function selectChanges(json: JsonOf) {
  return prepared<{ conversationKey: string; afterSeq: number; limit: number }>()((db, param) => ({
    compile: () =>
      sql<PageText>`
        with created as materialized (
          select msg_seq, 'message.created' as type, message_id, ${CONTENT_BYTES} from messages
          where conversation_key = ${param("conversationKey")} and msg_seq > ${param("afterSeq")}
          order by msg_seq limit ${param("limit")}
        ), changed as materialized (
          select change.msg_seq, change.type, change.message_id, ${CONTENT_BYTES}
          from conversation_changes as change join messages on messages.message_id = change.message_id
          where change.conversation_key = ${param("conversationKey")} and change.msg_seq > ${param("afterSeq")}
          order by change.msg_seq limit ${param("limit")}
        ), page as materialized (
          select * from (select * from created union all select * from changed) as either
          order by msg_seq limit ${param("limit")}
        )
        select case when ${IS_WRITTEN} then coalesce((
          select string_agg('{"msgSeq":' || page.msg_seq || ',"type":"' || page.type || '","message":'
            || ${messageText(json)} || '}', ',' order by page.msg_seq)
          from page join messages on messages.message_id = page.message_id
        ), '') end as items, ${lastSeqOf(param("conversationKey"))}
      `.compile(db),
  }));
}

const history = { sqlite: selectHistory(SQLITE), postgres: selectHistory(POSTGRES) };
const changes = { sqlite: selectChanges(SQLITE), postgres: selectChanges(POSTGRES) };

/** Where messages are read. */
interface ReadFrom {
  db: Db;
  dialect: Dialect;
}

const NOTHING: PageText = { items: "", lastSeq: 0 };

/**
 * The newest `limit` messages below `beforeSeq`, oldest first; without items when message-view.ts has to read them:
 * their contents are longer than 64 KiB, or have escaped mentions.
 */
export async function historyText(
  { db, dialect }: ReadFrom,
  conversationKey: string,
  { beforeSeq = Number.MAX_SAFE_INTEGER, limit }: { beforeSeq: number | undefined; limit: number },
): Promise<PageText> {
  return (await history[dialect].first(db, { conversationKey, beforeSeq, limit })) ?? NOTHING;
}

/**
 * The first `limit` changes after `afterSeq`; without items when message-view.ts has to read them:
 * their contents are longer than 64 KiB, or have escaped mentions.
 */
export async function changesText(
  { db, dialect }: ReadFrom,
  conversationKey: string,
  range: { afterSeq: number; limit: number },
): Promise<PageText> {
  return (await changes[dialect].first(db, { conversationKey, ...range })) ?? NOTHING;
}
