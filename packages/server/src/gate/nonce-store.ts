import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db, Dialect, Schema } from "../storage/schema.ts";
import type { Storage } from "../storage/storage.ts";

/*
 * Used nonces lie in six partitions that take turns, by the timestamp the caller signed: partition
 * floor(timestamp / 10 min) mod 6. A replay carries the same timestamp, so it meets the same primary key, whatever
 * the time and whichever process it reaches. The same nonce under another timestamp may lie in a neighbour, which is
 * looked at as well.
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
  nonceTtlMs: number;
  timestampWindowMs: number;
}

interface Statements {
  insert: ReturnType<typeof insertInto>;
  find: ReturnType<typeof findIn>;
}

const STATEMENTS = Object.fromEntries(
  PARTITIONS.map((partition) => [partition, { insert: insertInto(partition), find: findIn(partition) }]),
) as Record<Partition, Statements>;

/**
 * Uses up a nonce within the transaction `tx`; false when it has been used already. It is kept until
 * max(now, timestamp) + its life, because a timestamp may lie ahead of now.
 */
export async function takeNonce(tx: Db, dialect: Dialect, use: NonceUse): Promise<boolean> {
  const { appId, nonce, timestamp, now } = use;
  if (dialect === "postgres") await lockNonce(tx, appId, nonce);
  const own = Math.floor(timestamp / SPAN_MS);
  const oldest = Math.floor((now - use.timestampWindowMs - use.nonceTtlMs) / SPAN_MS);
  const newest = Math.floor((now + use.timestampWindowMs) / SPAN_MS);
  for (let span = oldest; span <= newest; span++) {
    if (span === own) continue;
    const seen = await STATEMENTS[partitionOf(span)].find.first(tx, { appId, nonce, now });
    if (seen !== undefined) return false;
  }
  const expiresAt = Math.max(now, timestamp) + use.nonceTtlMs;
  const taken = await STATEMENTS[partitionOf(own)].insert.affected(tx, { appId, nonce, expiresAt, now });
  return taken === 1;
}

/**
 * Empties the partition in which no live nonce can lie at `now`. Only in the middle of a span, so that processes whose
 * clocks differ by up to two minutes agree on which one that is.
 */
export async function sweepNonces(storage: Storage, now: number): Promise<void> {
  const intoSpanMs = now % SPAN_MS;
  if (intoSpanMs < SPAN_MS / 5 || intoSpanMs > (4 * SPAN_MS) / 5) return;
  const partition = partitionOf(Math.floor(now / SPAN_MS) + 2);
  const filled = await storage.db.selectFrom(partition).select("nonce").limit(1).executeTakeFirst();
  if (filled === undefined) return;
  await storage.write(async (tx) => {
    if (storage.dialect === "postgres") await sql`truncate ${sql.table(partition)}`.execute(tx);
    else await tx.deleteFrom(partition).execute();
  });
}

/**
 * Two calls with one nonce under timestamps of two partitions meet no common index; in PostgreSQL they could run side
 * by side. (SQLite runs them one after the other.)
 */
async function lockNonce(tx: Db, appId: string, nonce: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${appId}\n${nonce}`}, 0))`.execute(tx);
}

function partitionOf(span: number): Partition {
  const index = ((span % PARTITIONS.length) + PARTITIONS.length) % PARTITIONS.length;
  return PARTITIONS[index] ?? PARTITIONS[0];
}

/** A row that outlived its time because its partition was not emptied gives way. */
function insertInto(partition: Partition) {
  return prepared<{ appId: string; nonce: string; expiresAt: number; now: number }>()((db, param) =>
    db
      .insertInto(partition)
      .values({ app_id: param("appId"), nonce: param("nonce"), expires_at: param("expiresAt") })
      .onConflict((conflict) =>
        conflict
          .columns(["app_id", "nonce"])
          .doUpdateSet((eb) => ({ expires_at: eb.ref("excluded.expires_at") }))
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
