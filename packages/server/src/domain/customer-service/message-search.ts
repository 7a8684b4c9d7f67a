import { sql } from "kysely";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { oneContains } from "../../platform/storage/search/contains-text.ts";
import { postgresQuery, sqliteMatch } from "../../platform/storage/search/search-grams.ts";

/** The first characters of a text by which it is found: what a message costs to index must not depend on its length. */
const MAX_SAID_LENGTH = 500;

/**
 * The newest messages of an application that a search reads itself, without the index: where most searches end. SQLite's
 * index finds what is older at the same cost, PostgreSQL's may not.
 */
export const SEARCH_WINDOW: Readonly<Record<Dialect, number>> = { sqlite: 2_000, postgres: 10_000 };
/** The messages that a search takes from the index, to see whether they contain the keyword. */
export const MAX_CANDIDATES = 5_000;

const insert = prepared<{ messageId: number; appId: string; said: string }>()((db, param) =>
  db
    .insertInto("customer_texts")
    .values({ message_id: param("messageId"), app_id: param("appId"), said: param("said") })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Makes a message findable, unless it is already, by the beginning of its text or by its file's name. */
export async function indexMessage(
  tx: Db,
  { messageId, appId, content }: { messageId: number; appId: string; content: string },
): Promise<void> {
  const said = saidIn(content);
  if (said !== "") await insert.affected(tx, { messageId, appId, said });
}

/**
 * By what a message is found; empty when by nothing.
 *
 * @param content JSON text.
 */
export function saidIn(content: string): string {
  const parsed: unknown = JSON.parse(content);
  const text = typeof parsed === "object" && parsed !== null && "fileName" in parsed ? parsed.fileName : parsed;
  // A database's texts contain neither NUL nor half of a character.
  return typeof text === "string" ? text.slice(0, MAX_SAID_LENGTH).replaceAll("\0", " ").toWellFormed() : "";
}

/** What is searched: an application's messages before one. */
interface Wanted {
  appId: string;
  keyword: string;
  before: number;
  /** How many are wanted. */
  most: number;
}

/** What a part of a search has found, and the id before which nothing has been looked at; null when all has been. */
interface Part {
  ids: number[];
  searchedTo: number | null;
}

/** The messages that were found, newest first, and the `before` to go on with; null when there are no more. */
export interface FoundIds {
  ids: number[];
  nextBefore: number | null;
}

/**
 * An application's messages that contain a keyword, newest first. One search looks at a bounded number of messages,
 * however many there are and wherever those with the keyword are: it may find fewer than `limit`, or none, and yet not be
 * at the end. To be read through `storage.lists`.
 */
export async function findMessageIds(
  db: Db,
  dialect: Dialect,
  { appId, keyword, before, limit }: { appId: string; keyword: string; before: number; limit: number },
): Promise<FoundIds> {
  const wanted = { appId, keyword, before, most: limit + 1 };
  const newest = await searchWindow(db, dialect, wanted);
  if (newest.ids.length > limit || newest.searchedTo === null) return cut(newest, limit);
  const rest = { ...wanted, before: newest.searchedTo, most: wanted.most - newest.ids.length };
  const older = await (dialect === "sqlite" ? searchIndex(db, rest) : searchUnordered(db, rest));
  return cut({ ids: [...newest.ids, ...older.ids], searchedTo: older.searchedTo }, limit);
}

function cut({ ids, searchedTo }: Part, limit: number): FoundIds {
  if (ids.length <= limit) return { ids, nextBefore: searchedTo };
  const kept = ids.slice(0, limit);
  return { ids: kept, nextBefore: kept.at(-1) ?? null };
}

/** Reads the newest messages one by one. */
async function searchWindow(db: Db, dialect: Dialect, { appId, keyword, before, most }: Wanted): Promise<Part> {
  const newest = db
    .selectFrom("customer_texts")
    .select(["message_id", "said"])
    .where("app_id", "=", appId)
    .where("message_id", "<", before)
    .orderBy("message_id", "desc");
  const rows = await db
    .selectFrom(newest.limit(SEARCH_WINDOW[dialect]).as("newest"))
    .select("message_id")
    .where(oneContains(dialect, ["newest.said"], keyword))
    .orderBy("message_id", "desc")
    .limit(most)
    .execute();
  const ids = rows.map(({ message_id }) => message_id);
  if (ids.length === most) return { ids, searchedTo: ids.at(-1) ?? null };
  const end = await newest
    .clearSelect()
    .select("message_id")
    .offset(SEARCH_WINDOW[dialect] - 1)
    .limit(1)
    .executeTakeFirst();
  return { ids, searchedTo: end?.message_id ?? null };
}

/** SQLite's index goes from the newest to the oldest, and stops where it is told. */
async function searchIndex(db: Db, { appId, keyword, before, most }: Wanted): Promise<Part> {
  const index = sql.table("customer_search_index");
  const { rows } = await sql<{ messageId: number; holds: number }>`
    select candidates.id as "messageId", (app_id = ${appId} and ${oneContains("sqlite", ["customer_texts.said"], keyword)}) as holds
    from (
      select rowid as id from ${index}
      where ${index} match ${sqliteMatch(scopeOf(appId), keyword)} and rowid < ${before}
      order by rowid desc limit ${sql.lit(MAX_CANDIDATES)}
    ) as candidates
    cross join customer_texts on message_id = candidates.id
    order by candidates.id desc`.execute(db);
  const ids = rows.filter(({ holds }) => holds === 1).map(({ messageId }) => messageId);
  if (ids.length >= most) return { ids: ids.slice(0, most), searchedTo: ids[most - 1] ?? null };
  return { ids, searchedTo: rows.length < MAX_CANDIDATES ? null : (rows.at(-1)?.messageId ?? null) };
}

/** PostgreSQL's index has no order: of very many candidates nobody knows which are the newest, and the search goes on by windows. */
async function searchUnordered(db: Db, { appId, keyword, before, most }: Wanted): Promise<Part> {
  const scope = scopeOf(appId);
  // Planned apart from its limit, for which it would compute the grams of row after row instead of using the index.
  const { rows } = await sql<{ messageId: number }>`
    with candidates as materialized (
      select message_id from customer_texts
      where search_grams('customer_texts:' || app_id, said) @@ ${postgresQuery(scope, keyword)}::tsquery
    )
    select message_id as "messageId" from candidates limit ${sql.lit(MAX_CANDIDATES + 1)}`.execute(db);
  if (rows.length > MAX_CANDIDATES) return { ids: [], searchedTo: before };
  const older = rows.map(({ messageId }) => messageId).filter((id) => id < before);
  const found = await db
    .selectFrom("customer_texts")
    .select("message_id")
    .where(sql<boolean>`message_id = any (${older})`)
    .where("app_id", "=", appId)
    .where(oneContains("postgres", ["customer_texts.said"], keyword))
    .orderBy("message_id", "desc")
    .limit(most)
    .execute();
  const ids = found.map(({ message_id }) => message_id);
  return { ids, searchedTo: ids.length < most ? null : (ids.at(-1) ?? null) };
}

/** As the index has it (migration 0021). */
function scopeOf(appId: string): string {
  return `customer_texts:${appId}`;
}
