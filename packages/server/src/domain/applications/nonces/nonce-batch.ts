import { sql } from "kysely";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { type NonceLimits, type NonceUse, type Partition, partitionOf, partitionsInForce } from "./nonce-partitions.ts";
import { findEmptiedTo } from "./nonce-sweep.ts";

/**
 * Consumes different nonces in one transaction, on PostgreSQL. Three statements serve all, and one more for each further
 * partition that their timestamps belong to. They are pipelined, and the database runs them in order:
 *
 * - the locks, in the order of their numbers, so that transactions cannot deadlock;
 * - the inserts, which see what was committed before the locks were taken;
 * - the mark, read after an insert has waited for a sweep of its partition.
 *
 * @returns for each nonce whether it was free.
 */
export async function consumeNonces(tx: Db, uses: readonly NonceUse[], limits: NonceLimits): Promise<boolean[]> {
  const [, inserted, mark] = await Promise.all([
    lockNonces.rows(tx, { nonces: uses.map(keyOf) }),
    Promise.all([...Map.groupBy(uses, partitionOfUse)].map(([own, some]) => insert(tx, own, some, limits))),
    findEmptiedTo.first(tx, {}),
  ]);
  const taken = new Set(inserted.flat().map(keyOf));
  const emptiedTo = mark === undefined ? Number.NEGATIVE_INFINITY : Number(mark.value);
  return uses.map((use) => use.timestamp > emptiedTo && taken.has(keyOf(use)));
}

function keyOf({ appId, nonce }: Pick<NonceUse, "appId" | "nonce">): string {
  return `${appId}\n${nonce}`;
}

function partitionOfUse({ timestamp }: NonceUse): Partition {
  return partitionOf(timestamp);
}

async function insert(tx: Db, own: Partition, uses: readonly NonceUse[], limits: NonceLimits) {
  const times = uses.map(({ now }) => now);
  // The times differ by as long as the bodies took.
  const [earliest, latest] = [Math.min(...times), Math.max(...times)];
  const neighbours = [...partitionsInForce(earliest, limits, latest)].filter((partition) => partition !== own);
  return await insertUnlessIn(own, neighbours).rows(tx, {
    appIds: uses.map(({ appId }) => appId),
    nonces: uses.map(({ nonce }) => nonce),
    timestamps: uses.map(({ timestamp }) => timestamp),
    ends: uses.map(({ now, timestamp }) => Math.max(now, timestamp) + limits.nonceTtlMs),
    times,
    earliest,
  });
}

/** The same locks as those that single calls take. */
const lockNonces = prepared<{ nonces: string[] }>()((db, param) => ({
  compile: () =>
    sql`
      select pg_advisory_xact_lock(number)
      from (select hashtextextended(key, 0) as number from unnest(${param("nonces")}::text[]) as nonce(key) order by 1)
        as numbers
    `.compile(db),
}));

/** Cached by partition names; there are as many as there are runs of adjacent partitions. */
const INSERTS = new Map<string, ReturnType<typeof prepareInsert>>();

function insertUnlessIn(own: Partition, neighbours: readonly Partition[]): ReturnType<typeof prepareInsert> {
  const name = `${own} ${neighbours.join(" ")}`;
  const known = INSERTS.get(name) ?? prepareInsert(own, neighbours);
  INSERTS.set(name, known);
  return known;
}

interface Columns extends Record<string, unknown> {
  appIds: string[];
  nonces: string[];
  timestamps: number[];
  ends: number[];
  times: number[];
  earliest: number;
}

/** Overwrites rows that have expired but were not deleted because their partition was never truncated. */
function prepareInsert(own: Partition, neighbours: readonly Partition[]) {
  return prepared<Columns>()((db, param) => {
    const isFree = neighbours.map(
      (partition) => sql`and not exists (select from ${sql.table(partition)} as used
        where used.app_id = use.app_id and used.nonce = use.nonce and used.expires_at >= use.at)`,
    );
    const query = sql<Pick<NonceUse, "appId" | "nonce">>`
      insert into ${sql.table(own)} as own (app_id, nonce, signed_at, expires_at)
      select app_id, nonce, signed_at, expires_at
      from unnest(${param("appIds")}::text[], ${param("nonces")}::text[], ${param("timestamps")}::bigint[],
        ${param("ends")}::bigint[], ${param("times")}::bigint[]) as use(app_id, nonce, signed_at, expires_at, at)
      where true ${sql.join(isFree, sql` `)}
      on conflict (app_id, nonce)
        do update set signed_at = excluded.signed_at, expires_at = excluded.expires_at
        where own.expires_at < ${param("earliest")}::bigint
      returning own.app_id as "appId", own.nonce
    `;
    return { compile: () => query.compile(db) };
  });
}
