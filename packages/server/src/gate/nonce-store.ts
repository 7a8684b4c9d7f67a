import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db, Schema } from "../storage/schema.ts";
import type { Storage } from "../storage/storage.ts";
import { NonceMemory } from "./nonce-memory.ts";

/*
 * Used nonces lie in six partitions that take turns, by the timestamp the caller signed: partition
 * floor(timestamp / 10 min) mod 6. A replay carries the same timestamp, so it meets the same primary key, whatever
 * the time and whichever process it reaches. The same nonce under another timestamp is one of two things:
 *
 * - PostgreSQL: unique by (app_id, nonce) within a partition; the neighbours are looked at, under a lock, because two
 *   calls with timestamps of two partitions meet no common index.
 * - SQLite: unique by (signed_at, app_id, nonce), which puts rows in the order of time: a call then writes to the end
 *   of the tree, not to a page of its own, and pages written are most of what a durable call costs. There is one
 *   process, which remembers the nonces in force and has read them from the database at its start.
 *
 * A partition is written from at most 10 min before its span (the widest timestamp window that the configuration
 * allows) and read until at most 20 min after it (window and longest life), so of the six at most five are in use, and
 * the sixth can be emptied whole.
 */
const SPAN_MS = 600_000;
const PARTITIONS = [
  "nonces_0",
  "nonces_1",
  "nonces_2",
  "nonces_3",
  "nonces_4",
  "nonces_5",
] as const satisfies (keyof Schema)[];
type Partition = (typeof PARTITIONS)[number];

/** A nonce to be used up. Times are epoch milliseconds. */
export interface NonceUse {
  appId: string;
  nonce: string;
  timestamp: number;
  now: number;
}

/** How long nonces live, in milliseconds. */
interface NonceLimits {
  nonceTtlMs: number;
  timestampWindowMs: number;
}

/** The used nonces. */
export interface Nonces {
  /**
   * Uses up a nonce within the transaction `tx`; false when it has been used already. It is kept until
   * max(now, timestamp) + its life, because a timestamp may lie ahead of now.
   */
  take(tx: Db, use: NonceUse): boolean | Promise<boolean>;
  /**
   * Until when a nonce that has been used is kept, in epoch milliseconds; null when that is no longer known. For the
   * explanation of a refusal: the embedded service may name up to a second too late.
   */
  endOf(tx: Db, use: NonceUse): Promise<number | null>;
}

/** Opens the used nonces of the database, for its engine. */
export async function openNonces(storage: Storage, limits: NonceLimits, now: number): Promise<Nonces> {
  if (storage.dialect === "postgres") {
    return { take: (tx, use) => takeShared(tx, use, limits), endOf: (tx, use) => endOfShared(tx, use, limits) };
  }
  const memory = new NonceMemory();
  await readInto(memory, storage.db, now);
  return {
    take: (tx, use) => takeAlone(tx, memory, use, limits),
    endOf: async (_tx, { appId, nonce, now }) => memory.endOf(appId, nonce, now),
  };
}

function takeAlone(
  tx: Db,
  memory: NonceMemory,
  use: NonceUse,
  { nonceTtlMs }: NonceLimits,
): boolean | Promise<boolean> {
  const { appId, nonce, timestamp, now } = use;
  const expiresAt = Math.max(now, timestamp) + nonceTtlMs;
  if (!memory.add(appId, nonce, expiresAt, now)) return false;
  const taken = STATEMENTS[partitionOf(timestamp)].append.affected(tx, { appId, nonce, timestamp, expiresAt, now });
  return typeof taken === "number" ? taken === 1 : taken.then((rows) => rows === 1);
}

async function takeShared(tx: Db, use: NonceUse, limits: NonceLimits): Promise<boolean> {
  const { appId, nonce, timestamp, now } = use;
  const own = partitionOf(timestamp);
  const neighbours = [...partitionsInForce(now, limits)].filter((partition) => partition !== own);
  // The queries travel together; the database runs them in order, the lock first.
  const locked = lockNonce.rows(tx, { nonce: `${appId}\n${nonce}` });
  const found = neighbours.map((partition) => STATEMENTS[partition].find.rows(tx, { appId, nonce, now }));
  const [, ...seen] = await Promise.all([locked, ...found]);
  if (seen.some((rows) => rows.length > 0)) return false;
  const expiresAt = Math.max(now, timestamp) + limits.nonceTtlMs;
  return (await STATEMENTS[own].insert.affected(tx, { appId, nonce, timestamp, expiresAt, now })) === 1;
}

async function endOfShared(tx: Db, { appId, nonce, now }: NonceUse, limits: NonceLimits): Promise<number | null> {
  for (const partition of partitionsInForce(now, limits)) {
    const row = await STATEMENTS[partition].find.first(tx, { appId, nonce, now });
    if (row !== undefined) return row.expires_at;
  }
  return null;
}

/** Reads the nonces in force, a page at a time. */
async function readInto(memory: NonceMemory, db: Db, now: number): Promise<void> {
  const PAGE = 10_000;
  for (const partition of PARTITIONS) {
    let after = { signed_at: -1, app_id: "", nonce: "" };
    for (;;) {
      const rows = await db
        .selectFrom(partition)
        .selectAll()
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple("signed_at", "app_id", "nonce"), ">", tuple(after.signed_at, after.app_id, after.nonce)),
        )
        .orderBy("signed_at")
        .orderBy("app_id")
        .orderBy("nonce")
        .limit(PAGE)
        .execute();
      for (const row of rows) if (row.expires_at > now) memory.add(row.app_id, row.nonce, row.expires_at, now);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = last;
    }
  }
}

/**
 * Empties the partition in which no live nonce can lie at `now`. Only in the middle of a span, so that processes whose
 * clocks differ by up to two minutes agree on which one that is.
 */
export async function sweepNonces(storage: Storage, now: number): Promise<void> {
  const intoSpanMs = now % SPAN_MS;
  if (intoSpanMs < SPAN_MS / 5 || intoSpanMs > (4 * SPAN_MS) / 5) return;
  const partition = partitionOf(now + 2 * SPAN_MS);
  const filled = await storage.db.selectFrom(partition).select("nonce").limit(1).executeTakeFirst();
  if (filled === undefined) return;
  await storage.unhurried.write(async (tx) => {
    if (storage.dialect === "postgres") await sql`truncate ${sql.table(partition)}`.execute(tx);
    else await tx.deleteFrom(partition).execute();
  });
}

function partitionOf(timestamp: number): Partition {
  const index = Math.floor(timestamp / SPAN_MS) % PARTITIONS.length;
  return PARTITIONS[index] ?? PARTITIONS[0];
}

/** The partitions in which a nonce that is alive at `now` may lie. */
function partitionsInForce(now: number, { nonceTtlMs, timestampWindowMs }: NonceLimits): Set<Partition> {
  const partitions = new Set<Partition>();
  const newest = now + timestampWindowMs;
  for (let at = now - timestampWindowMs - nonceTtlMs; at < newest; at += SPAN_MS) partitions.add(partitionOf(at));
  return partitions.add(partitionOf(newest));
}

/** Two calls with one nonce under timestamps of two partitions meet no common index. */
const lockNonce = prepared<{ nonce: string }>()((db, param) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${param("nonce")}, 0))`.as("locked")),
);

interface Row extends Record<string, unknown> {
  appId: string;
  nonce: string;
  timestamp: number;
  expiresAt: number;
  now: number;
}

const STATEMENTS = Object.fromEntries(
  PARTITIONS.map((partition) => [
    partition,
    {
      insert: insertInto(partition, ["app_id", "nonce"]),
      append: insertInto(partition, ["signed_at", "app_id", "nonce"]),
      find: findIn(partition),
    },
  ]),
) as Record<
  Partition,
  {
    insert: ReturnType<typeof insertInto>;
    append: ReturnType<typeof insertInto>;
    find: ReturnType<typeof findIn>;
  }
>;

/** A row that outlived its time because its partition was not emptied gives way. */
function insertInto(partition: Partition, key: ("signed_at" | "app_id" | "nonce")[]) {
  return prepared<Row>()((db, param) =>
    db
      .insertInto(partition)
      .values({
        app_id: param("appId"),
        nonce: param("nonce"),
        signed_at: param("timestamp"),
        expires_at: param("expiresAt"),
      })
      .onConflict((conflict) =>
        conflict
          .columns(key)
          .doUpdateSet((eb) => ({ signed_at: eb.ref("excluded.signed_at"), expires_at: eb.ref("excluded.expires_at") }))
          .where(`${partition}.expires_at`, "<=", param("now")),
      ),
  );
}

function findIn(partition: Partition) {
  return prepared<{ appId: string; nonce: string; now: number }>()((db, param) =>
    db
      .selectFrom(partition)
      .select("expires_at")
      .where("app_id", "=", param("appId"))
      .where("nonce", "=", param("nonce"))
      .where("expires_at", ">", param("now")),
  );
}
