import { type Kysely, sql } from "kysely";
import { rowDigest } from "../row-digest.ts";
import type { Dialect, Schema } from "../schema.ts";
import { required } from "./tables.ts";

/** What an entry says, in the order in which it is hashed. */
const SAID = [
  ...["audit_id", "at", "actor_type", "actor_id", "action", "tenant_id", "app_id"],
  ...["target", "before", "after", "address"],
];

/**
 * Adds the chain of the audit log: a link for each entry, with the digest of the entry and the hash of that and the link
 * before. The database itself makes the links, so that entries of a process of the previous version have theirs, too.
 * Entries from before have none: to read them all would hold up a start.
 */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  await schema
    .createTable("audit_links")
    .addColumn("position", dialect === "sqlite" ? "integer" : "bigint", (c) => c.primaryKey())
    .addColumn("audit_id", "bigint", (c) => c.notNull().unique())
    .addColumn("salt", "text")
    .addColumn("digest", "text", required)
    .addColumn("hash", "text", required)
    .execute();
  await schema.alterTable("audit_entries").addColumn("erased_by", "bigint").execute();
  await (dialect === "sqlite" ? linkOnSqlite(db) : linkOnPostgres(db));
  // The trigger's lock has let all transactions end that may have written an entry without a link.
  const before = await db
    .selectFrom("audit_entries")
    .select(({ fn }) => fn.max("audit_id").as("last"))
    .executeTakeFirst();
  const start = rowDigest(["the audit log of Portico"]);
  await db
    .insertInto("meta")
    .values([
      { name: "audit-head", value: `0 ${start}` },
      { name: "audit-anchor", value: `0 ${start} ${before?.last ?? 0}` },
    ])
    .execute();
}

/** One unit after another: the head is always that of the last entry. */
async function linkOnSqlite(db: Kysely<Schema>): Promise<void> {
  const head = (part: string) => `(select ${part} from meta where name = 'audit-head')`;
  const position = "cast(substr(value, 1, instr(value, ' ') - 1) as integer)";
  const hash = "substr(value, instr(value, ' ') + 1)";
  const said = SAID.map((name) => `new."${name}"`).join(", ");
  await sql
    .raw(`create trigger audit_entries_link after insert on audit_entries begin
      insert into audit_links (position, audit_id, salt, digest, hash)
        values (${head(`${position} + 1`)}, new.audit_id, lower(hex(randomblob(16))), '', '');
      update audit_links set digest = row_digest(salt, ${said}) where audit_id = new.audit_id;
      update audit_links set hash = row_digest(${head(hash)}, position, audit_id, digest) where audit_id = new.audit_id;
      update meta set value = (select position || ' ' || hash from audit_links where audit_id = new.audit_id)
        where name = 'audit-head';
    end`)
    .execute(db);
}

/**
 * At the end of the transaction: whatever else it locks, the head comes last and only for the commit, so that nobody
 * waits for a transaction, and none for each other.
 */
async function linkOnPostgres(db: Kysely<Schema>): Promise<void> {
  await sql`create function row_digest(variadic cells text[]) returns text language sql immutable parallel safe as $$
    select encode(sha256(convert_to(
      string_agg(case when cell is null then '-' else octet_length(cell) || ':' || cell end, '' order by place), 'UTF8')), 'hex')
    from unnest(cells) with ordinality as given(cell, place)
  $$`.execute(db);
  const said = SAID.map((name) => `new."${name}"::text`).join(", ");
  await sql
    .raw(`create function link_audit_entry() returns trigger language plpgsql as $$
    declare
      head text[];
      place bigint;
      grain text := replace(gen_random_uuid()::text, '-', '');
      content text;
      link text;
    begin
      select string_to_array(value, ' ') into head from meta where name = 'audit-head' for update;
      place := head[1]::bigint + 1;
      content := row_digest(grain, ${said});
      link := row_digest(head[2], place::text, new.audit_id::text, content);
      insert into audit_links (position, audit_id, salt, digest, hash) values (place, new.audit_id, grain, content, link);
      update meta set value = place || ' ' || link where name = 'audit-head';
      return null;
    end $$`)
    .execute(db);
  await sql`create constraint trigger audit_entries_link after insert on audit_entries
    deferrable initially deferred for each row execute function link_audit_entry()`.execute(db);
}
