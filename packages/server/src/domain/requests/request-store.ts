import { setImmediate } from "node:timers/promises";
import type { RequestList, RequestsQuery } from "@portico/protocol";
import { sql } from "kysely";
import { reqNosFrom } from "../../platform/http/trace.ts";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db, Dialect } from "../../platform/storage/schema.ts";
import { parseDetail } from "./call-detail.ts";

/** A record of one answered request. Never a body, never a secret. */
export interface RequestRecord extends Record<string, unknown> {
  reqNo: string;
  appId: string | null;
  /** Time of arrival, epoch milliseconds. */
  at: number;
  method: string;
  path: string;
  status: number;
  code: string;
  durationMs: number;
  /** JSON text of a CallDetail; null for a call that was not refused. */
  detail: string | null;
}

const COLUMNS = [
  ["req_no", "reqNo"],
  ["app_id", "appId"],
  ["at", "at"],
  ["method", "method"],
  ["path", "path"],
  ["status", "status"],
  ["code", "code"],
  ["duration_ms", "durationMs"],
  ["detail", "detail"],
] as const satisfies [string, keyof RequestRecord][];

/** The records that one statement inserts on SQLite, which takes two thirds of the time of one statement for each. */
const AT_ONCE = 10;

/** Inserts `count` records, whose values are given one after another. */
const inserting = (count: number) =>
  prepared<Record<`${number}`, unknown>>()((db, param) => {
    const rows = Array.from(
      { length: count },
      (_, row) => sql`(${sql.join(COLUMNS.map((_, column) => param(`${row * COLUMNS.length + column}`)))})`,
    );
    const names = COLUMNS.map(([name]) => sql.ref(name));
    return {
      compile: () =>
        sql`insert into requests (${sql.join(names)}) values ${sql.join(rows)} on conflict do nothing`.compile(db),
    };
  });
const insertOne = inserting(1);
const insertSome = inserting(AT_ONCE);

/** Inserts records; existing ones do not change. */
export async function insertRequests(tx: Db, dialect: Dialect, records: readonly RequestRecord[]): Promise<void> {
  if (dialect === "postgres") {
    await insertAll.affected(tx, columnsOf(records));
    return;
  }
  for (let from = 0; from < records.length; ) {
    const isFull = records.length - from >= AT_ONCE;
    const some = records.slice(from, from + (isFull ? AT_ONCE : 1));
    // An array is the record of its values by their places.
    const values: unknown[] = [];
    for (const record of some) for (const [, field] of COLUMNS) values.push(record[field]);
    await (isFull ? insertSome : insertOne).affected(tx, values as unknown as Record<`${number}`, unknown>);
    from += some.length;
  }
}

function columnsOf(records: readonly RequestRecord[]) {
  return {
    reqNos: records.map(({ reqNo }) => reqNo),
    appIds: records.map(({ appId }) => appId),
    times: records.map(({ at }) => at),
    methods: records.map(({ method }) => method),
    paths: records.map(({ path }) => path),
    statuses: records.map(({ status }) => status),
    codes: records.map(({ code }) => code),
    durations: records.map(({ durationMs }) => durationMs),
    details: records.map(({ detail }) => detail),
  };
}

const insertAll = prepared<ReturnType<typeof columnsOf>>()((db, param) => ({
  compile: () =>
    sql`
      insert into requests (req_no, app_id, at, method, path, status, code, duration_ms, detail)
      select * from unnest(${param("reqNos")}::text[], ${param("appIds")}::text[], ${param("times")}::bigint[],
        ${param("methods")}::text[], ${param("paths")}::text[], ${param("statuses")}::integer[],
        ${param("codes")}::text[], ${param("durations")}::integer[], ${param("details")}::text[])
      on conflict do nothing
    `.compile(db),
}));

/** The record of a call; null when there is none. */
export async function findRequest(db: Db, reqNo: string): Promise<RequestRecord | null> {
  const row = await db
    .selectFrom("requests")
    .select([...columns, "app_id as appId", "detail"])
    .where("req_no", "=", reqNo)
    .executeTakeFirst();
  return row ?? null;
}

/** Rows that one statement of a filtered list reads. SQLite runs it on this thread, in about 2 ms. */
const SLICE = 1_000;
/** The most rows that one page of a filtered list examines. */
const MAX_EXAMINED = 10_000;

const columns = ["req_no as reqNo", "at", "method", "path", "status", "code", "duration_ms as durationMs"] as const;

/**
 * A page of the application's calls, newest first, starting at the newest or before `before`. Its cost does not depend
 * on the number of calls: after {@link MAX_EXAMINED} rows a filtered page ends, and `nextBefore` continues the list.
 */
export async function listRequests(
  db: Db,
  appId: string,
  { from = 0, to = MAX_TIME, before, limit = 20, ...filter }: RequestsQuery,
): Promise<RequestList> {
  const isSelected = predicate(filter);
  const oldest = reqNosFrom(Math.min(from, MAX_TIME));
  const after = reqNosFrom(Math.min(to, MAX_TIME) + 1);
  // One more row than the page shows whether there is another page.
  const slice = isSelected === null ? limit + 1 : SLICE;
  const items: ListedRow[] = [];
  let below = before === undefined || before > after ? after : before;
  for (let examined = 0; examined < MAX_EXAMINED; await setImmediate()) {
    const rows = await readSlice(db, appId, { oldest, below, limit: slice });
    for (const row of rows) {
      if (isSelected !== null && !isSelected(row)) continue;
      if (items.length === limit) return page(db, items, items.at(-1)?.reqNo ?? null);
      items.push(row);
    }
    if (rows.length < slice) return page(db, items, null);
    below = rows.at(-1)?.reqNo ?? oldest;
    examined += rows.length;
  }
  return page(db, items, below);
}

/** The latest time that a request number can encode, in epoch milliseconds. */
const MAX_TIME = 36 ** 9 - 2;

type ListedRow = Omit<RequestList["items"][number], "reason">;
type Filter = Pick<RequestsQuery, "status" | "code" | "path" | "method">;

function predicate({ status, code, path, method }: Filter): ((row: ListedRow) => boolean) | null {
  if (status === undefined && code === undefined && path === undefined && method === undefined) return null;
  const isClass = status?.endsWith("xx");
  return (row) =>
    (status === undefined || (isClass ? Math.floor(row.status / 100) : row.status) === Number.parseInt(status, 10)) &&
    (code === undefined || row.code === code) &&
    (path === undefined || row.path.startsWith(path)) &&
    (method === undefined || row.method === method);
}

function readSlice(
  db: Db,
  appId: string,
  { oldest, below, limit }: { oldest: string; below: string; limit: number },
): Promise<ListedRow[]> {
  return db
    .selectFrom("requests")
    .select(columns)
    .where("app_id", "=", appId)
    .where("req_no", ">=", oldest)
    .where("req_no", "<", below)
    .orderBy("req_no", "desc")
    .limit(limit)
    .execute();
}

/** Details are large, so they are read only for the rows on the page. */
async function page(db: Db, rows: ListedRow[], nextBefore: string | null): Promise<RequestList> {
  const refused = rows.length === 0 ? [] : await readDetails(db, rows);
  const reasons = new Map(refused.map(({ reqNo, detail }) => [reqNo, parseDetail(detail)?.reason]));
  return { items: rows.map((row) => ({ ...row, reason: reasons.get(row.reqNo) ?? null })), nextBefore };
}

function readDetails(db: Db, rows: ListedRow[]) {
  return db
    .selectFrom("requests")
    .select(["req_no as reqNo", "detail"])
    .where(
      "req_no",
      "in",
      rows.map(({ reqNo }) => reqNo),
    )
    .where("detail", "is not", null)
    .execute();
}
