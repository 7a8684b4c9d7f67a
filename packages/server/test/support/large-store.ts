import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Db, Dialect } from "../../src/platform/storage/schema.ts";

/** The schema of the first release. */
export const FIRST_RELEASE = "0024-operator-console";

/** The rows of each filled table: `PORTICO_TEST_ROWS=1000000` for a store of the size that is promised. */
export function rowsWanted(usually: number): number {
  return Number(process.env.PORTICO_TEST_ROWS ?? usually);
}

/** How each table that grows is filled: its columns, and their values of the row `i`. */
const FILLED = {
  messages: {
    conversation_key: "'group:g_' || (i % 100)",
    msg_seq: "i",
    sender_type: "'BOT'",
    sender_id: "'app_bot'",
    client_message_id: "'client-' || i",
    msg_type: "'text'",
    content: `'{"text":"message ' || i || ' 消息"}'`,
    mentions: "'[]'",
    created_at: "1700000000000 + i",
  },
  requests: {
    req_no: "'r' || i",
    app_id: "'app_bot'",
    at: "i",
    method: "'GET'",
    path: "'/'",
    status: "200",
    code: "''",
    duration_ms: "1",
  },
  members: { user_id: "'u' || i", tenant_id: "'t_other'", username: "'m' || i", name: "''" },
  visitors: {
    visitor_id: "'v' || i",
    app_id: "'app_desk'",
    third_user_id: "'third ' || i",
    nickname: "''",
    status: "1",
  },
  deliveries: {
    event_id: "'e' || i",
    app_id: "'app_bot'",
    event_type: "'x'",
    body: "'{}'",
    status: "'DELIVERED'",
    created_at: "i",
    claim: "0",
    claimed: "0",
    attempt_count: "1",
    retry_count: "0",
  },
  audit_entries: {
    at: "i",
    actor_type: "'SYSTEM'",
    actor_id: "'test'",
    action: "'a.b'",
    target: "'c'",
    address: "''",
  },
  customer_messages: {
    app_id: "'app_desk'",
    visitor_id: "'v' || i",
    session_id: "1",
    seq: "1",
    sender_type: "'VISITOR'",
    msg_type: "'text'",
    content: `'"said ' || i || '"'`,
    created_at: "i",
  },
} as const satisfies Record<string, Record<string, string>>;

export type Filled = keyof typeof FILLED;

/** The tables that can be filled. */
export const FILLED_TABLES = Object.keys(FILLED) as Filled[];

/** Adds `rows` rows to a table of a store that {@link fillAs} has made. */
export async function fillTable({ db, dialect }: { db: Db; dialect: Dialect }, table: Filled, rows: number) {
  const columns = Object.keys(FILLED[table]).join(", ");
  const values = Object.values(FILLED[table]).join(", ");
  const numbers =
    dialect === "postgres"
      ? `select i from generate_series(1, ${rows}) as g(i)`
      : `with recursive g(i) as (select 1 union all select i + 1 from g where i < ${rows}) select i from g`;
  await sql.raw(`insert into ${table} (${columns}) select ${values} from (${numbers}) as numbers`).execute(db);
}

/** How many rows a table has, and the SHA-256 of what is in some of its columns. */
export interface TableDigest {
  rows: number;
  sha256: string;
}

const PAGE = 10_000;

/** @param columns the first of them is an integer that tells the rows apart. */
export async function digestOf(db: Db, table: string, columns: readonly string[]): Promise<TableDigest> {
  const hash = createHash("sha256");
  const key = sql.ref(columns[0] ?? "");
  const listed: RawBuilder<unknown> = sql.join(columns.map((column) => sql.ref(column)));
  let rows = 0;
  for (let after = -1; ; ) {
    const page = await sql<Record<string, unknown>>`select ${listed} from ${sql.table(table)}
      where ${key} > ${after} order by ${key} limit ${sql.lit(PAGE)}`.execute(db);
    for (const row of page.rows) hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
    rows += page.rows.length;
    if (page.rows.length < PAGE) return { rows, sha256: hash.digest("hex") };
    after = Number(page.rows.at(-1)?.[columns[0] ?? ""]);
  }
}
