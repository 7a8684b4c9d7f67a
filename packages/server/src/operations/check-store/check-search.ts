import { sql } from "kysely";
import { indexedUpTo } from "../../domain/customer-service/index-missing.ts";
import { saidIn } from "../../domain/customer-service/message-search.ts";
import type { ReadOnlyStorage } from "../../platform/storage/open-read-only.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { SEARCHED } from "../../platform/storage/search/search.ts";
import { indexedGrams } from "../../platform/storage/search/search-grams.ts";
import type { Findings } from "./findings.ts";

const AT_ONCE = 500;

/** A table with the columns that are searched; `ownIndex` is its index, where the common one has it not. */
interface Indexed {
  table: string;
  id: string;
  scope: string | null;
  texts: readonly string[];
  ownIndex: string | null;
}

const MESSAGE_TEXTS: Indexed = {
  table: "customer_texts",
  id: "message_id",
  scope: "app_id",
  texts: ["said"],
  ownIndex: "customer_search_index",
};

/**
 * What is searched is what the rows say. On PostgreSQL the index is one over an expression, which it keeps itself; there
 * only the texts of messages are compared.
 */
export async function checkSearch({ db, dialect }: ReadOnlyStorage, findings: Findings): Promise<void> {
  await checkTexts(db, findings);
  if (dialect === "postgres") return;
  for (const table of Object.keys(SEARCHED) as (keyof typeof SEARCHED)[]) {
    await checkIndexed(db, { table, ownIndex: null, ...SEARCHED[table] }, findings);
    await checkStale(db, table, findings);
  }
  await checkIndexed(db, MESSAGE_TEXTS, findings);
}

/** The texts by which messages of customer service are found are those of the messages. */
async function checkTexts(db: Db, findings: Findings): Promise<void> {
  const upTo = await indexedUpTo(db);
  for (let after = 0; ; ) {
    const { rows } = await sql<{
      id: number;
      appId: string;
      content: string;
      foundIn: string | null;
      said: string | null;
    }>`
      select m.message_id as id, m.app_id as "appId", m.content, t.app_id as "foundIn", t.said
      from customer_messages as m left join customer_texts as t on t.message_id = m.message_id
      where m.message_id > ${after} order by m.message_id limit ${sql.lit(AT_ONCE)}`.execute(db);
    for (const { id, appId, content, foundIn, said } of rows) {
      const due = saidIn(content);
      if (said === null ? due !== "" && id <= upTo : said !== due || foundIn !== appId) {
        findings.add("search", `customer_texts ${id}`, "the message is not found by what it says");
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) break;
    after = last.id;
  }
  const { rows } = await sql<{ id: number }>`
    select message_id as id from customer_texts as t
    where not exists (select 1 from customer_messages as m where m.message_id = t.message_id) limit 100`.execute(db);
  for (const { id } of rows) findings.add("search", `customer_texts ${id}`, "its message is not there");
}

/** Each row is found by all of its grams. */
async function checkIndexed(db: Db, { table, id, scope, texts, ownIndex }: Indexed, findings: Findings): Promise<void> {
  const columns = sql.join(texts.map((text) => sql.ref(text)));
  const index = sql.table(ownIndex ?? "search_index");
  const number =
    ownIndex === null
      ? sql`(select search_id from search_rows where kind = ${sql.lit(table)} and entity_id = ${sql.ref(id)})`
      : sql.ref(id);
  for (let after: unknown = ownIndex === null ? "" : 0; ; ) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.ref(id)} as "the id", ${scope === null ? sql.lit("") : sql.ref(scope)} as "the scope",
        ${number} as "the number", ${columns}
      from ${sql.table(table)} where ${sql.ref(id)} > ${after} order by ${sql.ref(id)} limit ${sql.lit(AT_ONCE)}`.execute(
      db,
    );
    for (const row of rows) {
      const grams = indexedGrams(
        `${table}:${row["the scope"]}`,
        texts.map((text) => row[text]),
      );
      if (grams === "") continue;
      const match = grams
        .split(" ")
        .map((gram) => `"${gram}"`)
        .join(" AND ");
      const found = await sql`
        select 1 from ${index} where ${index} match ${match} and rowid = ${row["the number"]}`.execute(db);
      if (found.rows.length === 0)
        findings.add("search", `${table} ${row["the id"]}`, "it is not found by what it says");
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last["the id"];
  }
}

/** What is indexed is there. */
async function checkStale(db: Db, table: keyof typeof SEARCHED, findings: Findings): Promise<void> {
  const { id } = SEARCHED[table];
  const { rows } = await sql<{ entity: string }>`
    select entity_id as entity from search_rows where kind = ${sql.lit(table)}
      and not exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${id}`)} = entity_id) limit 100`.execute(
    db,
  );
  for (const { entity } of rows) findings.add("search", `${table} ${entity}`, "it is in the index, and nowhere else");
}
