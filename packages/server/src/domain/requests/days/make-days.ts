import { sql } from "kysely";
import { DAY_MS } from "../../../platform/coordination/coordination.ts";
import { hasCode } from "../../../platform/storage/postgres/outages.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { changeDays, listDays } from "./day-partitions.ts";
import { DEFAULT_PARTITION, dayAt, type RequestDay, reqNosOf } from "./request-day.ts";

/**
 * The days that are made are so many ahead. None of them begins within a day: while one is made, its records are refused, and
 * whoever keeps its making from its end, as a dump does, has a day for it.
 */
const FIRST_AHEAD = 2;
const LAST_AHEAD = 4;
/** A look-up of a call looks into each. What is more, with a long retention, is in the default partition. */
const MOST_DAYS = 45;
/**
 * A new partition may not take rows from the default one. A default partition of at most so many bytes is read for them
 * while it is locked; a larger one is found to have none before.
 */
const READ_LOCKED_BYTES = 8 * 1024 * 1024;
const EXCLUSION = "requests_default_excluded";
/** PostgreSQL's code for a row that breaks a constraint: a record of the day has come meanwhile. */
const VIOLATED = new Set<unknown>(["23514"]);
/** Text whose order by the database's rules tells whether request numbers are ordered as times are. */
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * Makes the partitions of days to come, but of those whose records are in the default partition already. Any number of
 * processes may do so. Where none did in time, the records of a day are in the default partition.
 *
 * @param now epoch milliseconds.
 * @param readLocked the size of the default partition up to which it may be read while it is locked, in bytes.
 * @throws an error of PostgreSQL; what was not made is made by the next call.
 */
export async function makeDays(
  storage: Pick<Storage, "db" | "unhurried">,
  now: number,
  readLocked = READ_LOCKED_BYTES,
): Promise<void> {
  const made = new Set((await listDays(storage.db)).map(({ table }) => table));
  const ahead = Array.from({ length: LAST_AHEAD - FIRST_AHEAD + 1 }, (_, n) => dayAt(now + (FIRST_AHEAD + n) * DAY_MS));
  const missing = ahead.filter(({ table }) => !made.has(table));
  if (missing.length === 0 || made.size >= MOST_DAYS) return;
  const { excluded, ordered, bytes } = await lookAt(storage.db);
  if (!ordered) return;
  // Left by a process that was killed, or kept from its end: it would refuse records.
  if (excluded) await changeDays(storage, endExclusion);
  const days: RequestDay[] = [];
  for (const day of missing) {
    if (made.size + days.length < MOST_DAYS && !(await isInDefault(storage.db, day))) days.push(day);
  }
  if (bytes <= readLocked) await makeAll(storage, days);
  else if (days.length > 0) await makeBeside(storage, days);
}

async function makeAll(storage: Pick<Storage, "unhurried">, days: readonly RequestDay[]): Promise<void> {
  for (const day of days) {
    try {
      if (!(await changeDays(storage, (tx) => make(tx, day)))) return;
    } catch (error) {
      if (!hasCode(error, VIOLATED)) throw error;
    }
  }
}

async function lookAt(db: Db): Promise<{ excluded: boolean; ordered: boolean; bytes: number }> {
  const { rows } = await sql<{ excluded: boolean; ordered: boolean; bytes: number }>`
    with digit as (select d from regexp_split_to_table(${DIGITS}, '') as d),
      pair as (select one.d || other.d as pair from digit as one, digit as other)
    select exists (select from pg_constraint where conrelid = to_regclass(${DEFAULT_PARTITION}) and conname = ${EXCLUSION}) as excluded,
      (select string_agg(pair, '' order by pair) = string_agg(pair, '' order by pair collate "C") from pair) as ordered,
      pg_relation_size(to_regclass(${DEFAULT_PARTITION})) as bytes`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error("no answer");
  return { ...found, bytes: Number(found.bytes) };
}

/** Whether the default partition has records of a day: they stay there. */
async function isInDefault(db: Db, day: RequestDay): Promise<boolean> {
  const { first, end } = reqNosOf(day);
  const { rows } = await sql`select 1 from ${sql.table(DEFAULT_PARTITION)}
    where req_no >= ${first} and req_no < ${end} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Makes days once PostgreSQL knows that a large default partition has no records of theirs, which it learns without holding
 * up who writes others. Records of these days are refused meanwhile.
 */
async function makeBeside(storage: Pick<Storage, "unhurried">, days: readonly RequestDay[]): Promise<void> {
  const outside = days.map((day) => {
    const { first, end } = reqNosOf(day);
    return sql`(req_no < ${sql.lit(first)} or req_no >= ${sql.lit(end)})`;
  });
  const excluding = sql`alter table ${sql.table(DEFAULT_PARTITION)} drop constraint if exists ${sql.ref(EXCLUSION)},
    add constraint ${sql.ref(EXCLUSION)} check (${sql.join(outside, sql` and `)}) not valid`;
  if (!(await changeDays(storage, (tx) => excluding.execute(tx)))) return;
  const proving = sql`alter table ${sql.table(DEFAULT_PARTITION)} validate constraint ${sql.ref(EXCLUSION)}`;
  try {
    if (await changeDays(storage, (tx) => proving.execute(tx), null)) await makeAll(storage, days);
  } finally {
    await changeDays(storage, endExclusion);
  }
}

async function endExclusion(tx: Db): Promise<void> {
  await sql`alter table ${sql.table(DEFAULT_PARTITION)} drop constraint if exists ${sql.ref(EXCLUSION)}`.execute(tx);
}

async function make(tx: Db, day: RequestDay): Promise<void> {
  const { first, end } = reqNosOf(day);
  if ((await listDays(tx)).some(({ table }) => table === day.table)) return;
  await sql`create table ${sql.table(day.table)} (like requests including all)`.execute(tx);
  await sql`alter table requests attach partition ${sql.table(day.table)}
    for values from (${sql.lit(first)}) to (${sql.lit(end)})`.execute(tx);
}
