import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { defineSqlFunctions } from "../../src/platform/storage/sqlite/sqlite.ts";
import type { EngineInstance } from "./engines.ts";

/** The steps of a statement's plan whose cost grows with a table. */
export interface Findings {
  scans: string[];
  sorts: string[];
}

/** Asks an engine for the plans of statements. */
export interface Explainer {
  /** @throws when the engine refuses the statement. */
  findings(sql: string): Promise<Findings>;
  close(): Promise<void> | void;
}

/** Tables that do not grow with use. */
const BOUNDED = new Set(["meta", "kysely_migration", "kysely_migration_lock"]);

/** Whether the statement has a plan; `begin`, `pragma` and similar ones have none. */
export function isPlanned(sql: string): boolean {
  return /^\s*(select|insert|update|delete|with)\b/i.test(sql) && !/\bpragma_\w+/.test(sql);
}

/** Plans of the database of a stopped embedded service. */
export function sqlitePlans({ env }: EngineInstance): Explainer {
  const database = new Database(join(env.PORTICO_DATA_DIR ?? "", "portico.db"), { readonly: true });
  defineSqlFunctions(database);
  const names = database.prepare<[], { name: string }>("select name from sqlite_master where type = 'table'").all();
  const growing = new Set(names.map(({ name }) => name).filter((name) => !BOUNDED.has(name)));
  const references = database.prepare<[string], { table: string }>("select * from pragma_foreign_key_list(?)");
  const referring = (table: string) =>
    new Set(names.map(({ name }) => name).filter((name) => references.all(name).some((key) => key.table === table)));
  return {
    findings: async (sql) => {
      const values = Array(sql.replaceAll(/'[^']*'/g, "").split("?").length - 1).fill(null);
      const plan = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(values);
      const steps = plan.map(({ detail }) => detail);
      // An inserted row is compared with rows that refer to it only if one is already missing.
      const [, inserted] = /^insert into "(\w+)"/.exec(sql) ?? [];
      const skipped = inserted === undefined ? new Set<string>() : referring(inserted);
      return sqliteFindings(sql, steps, new Set([...growing].filter((name) => !skipped.has(name))));
    },
    close: () => void database.close(),
  };
}

function sqliteFindings(sql: string, steps: string[], growing: ReadonlySet<string>): Findings {
  const aliases = new Map([...sql.matchAll(/"(\w+)" as "(\w+)"/g)].map(([, table, alias]) => [alias, table]));
  // Steps over a subquery's rows have the subquery's name, which may equal a table's; its own steps are listed as well.
  const subqueries = new Set(steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(step)?.[1] ?? []));
  const isGrowing = (name: string) => growing.has(name) || growing.has(aliases.get(name) ?? "");
  const isScan = (step: string) => {
    const [, how, name = "", rest = ""] = /^(SCAN|SEARCH) (\S+)(.*)$/.exec(step) ?? [];
    if (how === undefined || subqueries.has(name) || !isGrowing(name)) return false;
    if (/VIRTUAL TABLE INDEX \d+:.*M/.test(rest)) return false;
    return how === "SCAN" || rest.includes("AUTOMATIC");
  };
  return { scans: steps.filter(isScan), sorts: steps.filter((step) => step.startsWith("USE TEMP B-TREE")) };
}

/** The statistics of each table for the planner: one page with this many rows. */
const ROWS = 1_000_000;

/** Plans of a PostgreSQL database whose statistics say that all tables are large. */
export async function postgresPlans({ env }: EngineInstance): Promise<Explainer> {
  const client = new pg.Client({ connectionString: env.PORTICO_DATABASE_URL });
  await client.connect();
  await enlargeTables(client);
  // A table that is still read completely has no suitable index.
  await client.query("set enable_seqscan = off");
  const allowed = { small: BOUNDED, sortable: 0, indexes: await indexColumns(client) };
  return {
    findings: async (sql) => {
      const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`);
      return postgresFindings(rows[0]["QUERY PLAN"][0].Plan, false, allowed);
    },
    close: () => client.end(),
  };
}

/** The planner treats a table without pages as empty, whatever its statistics, so each table gets a row. */
async function enlargeTables(client: pg.Client): Promise<void> {
  await client.query("set session_replication_role = replica");
  const { rows: tables } = await client.query(
    `select table_name as name, (select relispartition from pg_class where oid = table_name::regclass) as part,
       array_agg(column_name order by column_name) as columns,
       array_agg(data_type order by column_name) as types
     from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER' group by table_name`,
  );
  for (const { name, part, columns, types } of tables) {
    const quoted = columns
      .slice(1, -1)
      .split(",")
      .map((column: string) => `"${column}"`);
    const values = types
      .slice(1, -1)
      .split(",")
      .map((type: string) => (type === "text" ? "'x'" : "1"));
    // A partition takes no row but its own; the table gives one to one of them.
    if (!part) await client.query(`insert into "${name}" (${quoted}) values (${values}) on conflict do nothing`);
    await client.query("update pg_class set relpages = 1, reltuples = $1 where oid = $2::regclass", [
      ROWS,
      `"${name}"`,
    ]);
  }
}

/** As the connections of calls, sweeps and lists have it. */
const BY_KEYS = ["seqscan", "bitmapscan", "hashjoin", "mergejoin"].map((name) => `set enable_${name} = off`).join(";");
const LISTS = "reset all; set max_parallel_workers_per_gather = 0; set jit = off";
/** The most rows of a table that may be read completely, and of what may be sorted, on a filled store. */
const FEW = 20_000;

/**
 * Plans of a PostgreSQL database that is full indeed, with the statistics that it has. There a small
 * table may be read completely, and a part of a large one sorted.
 *
 * @param isAnalysed whether it has statistics. Lists, which take one core of the server at most, are planned by them.
 */
export async function fullStorePlans(client: pg.Client, isAnalysed: boolean): Promise<Explainer> {
  const { rows } = await client.query<{ name: string; rows: string }>(
    `select relname as name, pg_relation_size(oid) / 100 as rows from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const small = rows.filter((table) => Number(table.rows) < FEW).map(({ name }) => name);
  const allowed = {
    small: new Set([...small, "pg_inherits", "pg_class"]),
    sortable: FEW,
    // With statistics the planner knows how few rows an index has beyond the column that it passes over.
    indexes: isAnalysed ? new Map() : await indexColumns(client),
  };
  return {
    findings: async (sql) => {
      const found: Findings = { scans: [], sorts: [] };
      const mayBeList = isAnalysed && /^\s*(select|with)/i.test(sql);
      for (const settings of mayBeList ? [BY_KEYS, LISTS] : [BY_KEYS]) {
        await client.query(settings);
        const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`);
        const { scans, sorts } = postgresFindings(rows[0]["QUERY PLAN"][0].Plan, false, allowed);
        found.scans.push(...scans);
        found.sorts.push(...sorts);
      }
      return found;
    },
    close: () => {},
  };
}

interface PlanNode {
  "Node Type": string;
  "Plan Rows": number;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** What may be read or sorted completely: these tables, and so many rows. */
interface Allowed {
  small: ReadonlySet<string>;
  sortable: number;
  indexes: ReadonlyMap<string, readonly string[]>;
}

/** The columns of each index, in their order; an expression has no name. */
async function indexColumns(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select relname as name, array(
       select coalesce((select attname::text from pg_attribute where attrelid = indrelid and attnum = key), '')
       from unnest(indkey) with ordinality as keys(key, place) order by place) as columns
     from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam where amname = 'btree'`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/**
 * The column of an index that a condition passes over: all is read that has the columns before it as they are asked for. The
 * planner does that where it takes a large table for a small one, although another index begins with all columns of the
 * condition. Columns after a range are in an index on purpose, for what is left of the range.
 */
function passedOver(columns: readonly string[], condition: string): string | undefined {
  const asked = columns.map((column) => new RegExp(`[( ]${column} (=|IS|[<>])`).exec(condition)?.[1]);
  const gap = asked.indexOf(undefined);
  const isRange = asked.slice(0, gap).some((how) => how === "<" || how === ">");
  return gap !== -1 && !isRange && asked.slice(gap).some((how) => how !== undefined) ? columns[gap] : undefined;
}

/** @param isLimited whether a limit above bounds the rows read from this node. */
function postgresFindings(node: PlanNode, isLimited: boolean, allowed: Allowed): Findings {
  const { "Node Type": type, "Relation Name": table = "", "Index Name": index = "", Filter } = node;
  const { "Index Cond": condition } = node;
  const below = (node.Plans ?? []).map((child) => postgresFindings(child, type === "Limit", allowed));
  const scans = below.flatMap((found) => found.scans);
  const sorts = below.flatMap((found) => found.sorts);
  const isWhole = /Index.* Scan$/.test(type) && condition === undefined && (!isLimited || Filter !== undefined);
  if (!allowed.small.has(table) && (type === "Seq Scan" || isWhole)) scans.push(`${type} on ${table} ${index}`);
  const passed = passedOver(allowed.indexes.get(index) ?? [], condition ?? "");
  if (passed !== undefined) scans.push(`${type} on ${table} ${index}, past ${passed}: ${condition}`);
  if (type.endsWith("Sort") && node["Plan Rows"] > allowed.sortable) sorts.push(`${type} of ${node["Plan Rows"]} rows`);
  return { scans, sorts };
}
