import { sql } from "kysely";
import { joint } from "../../../platform/storage/joint.ts";
import { prepared } from "../../../platform/storage/prepared.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { consumeNonces } from "./nonce-batch.ts";
import { NonceMemory } from "./nonce-memory.ts";
import {
  type NonceLimits,
  type NonceUse,
  PARTITIONS,
  type Partition,
  partitionOf,
  partitionsInForce,
} from "./nonce-partitions.ts";
import { findEmptiedTo, sweepNonces } from "./nonce-sweep.ts";

/** The store of used nonces. */
export interface Nonces {
  /**
   * Consumes a nonce in the transaction `tx`; false when it has been used already. It is kept through max(now, timestamp)
   * plus its lifetime, because a timestamp may lie in the future, and is accepted through the end of its window.
   */
  consume(tx: Db, use: NonceUse): boolean | Promise<boolean>;
  /**
   * When a used nonce expires, in epoch milliseconds; null when that is no longer known. Serves the explanation of a
   * refusal; in the embedded service it may be up to a second too late.
   */
  endOf(tx: Db, use: NonceUse): Promise<number | null>;
  /** Deletes nonces that have expired at every one of `times` (the possible current times, epoch milliseconds). */
  sweep(times: readonly number[]): Promise<void>;
}

/**
 * Opens the nonce store for the database's engine.
 *
 * @param passed the latest moment that has certainly passed, in epoch milliseconds.
 */
export async function openNonces(storage: Storage, limits: NonceLimits, passed: number): Promise<Nonces> {
  if (storage.dialect === "postgres") {
    return {
      consume: joint({
        alone: (tx, use) => consumeShared(tx, use, limits),
        joint: (tx, all) => consumeNonces(tx, all, limits),
        changed: (isTaken) => isTaken,
        claim: ({ appId, nonce }) => `nonce ${appId} ${nonce}`,
      }),
      endOf: (tx, use) => endOfShared(tx, use, limits),
      sweep: async (times) => {
        await sweepNonces(storage, limits, times);
      },
    };
  }
  const memory = new NonceMemory();
  let emptiedTo = Number((await findEmptiedTo.first(storage.db, {}))?.value ?? 0);
  await readInto(memory, storage.db, passed);
  return {
    consume: (tx, use) => use.timestamp > emptiedTo && consumeAlone(tx, memory, use, limits),
    endOf: async (_tx, { appId, nonce, now }) => memory.endOf(appId, nonce, now),
    sweep: async (times) => {
      emptiedTo = Math.max(emptiedTo, await sweepNonces(storage, limits, times));
      memory.forgetBefore(Math.min(...times));
    },
  };
}

function consumeAlone(
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

async function consumeShared(tx: Db, use: NonceUse, limits: NonceLimits): Promise<boolean> {
  const { appId, nonce, timestamp, now } = use;
  const own = partitionOf(timestamp);
  const neighbours = [...partitionsInForce(now, limits)].filter((partition) => partition !== own);
  // The queries are pipelined; the database runs them in order, the lock first.
  const locked = lockNonce.rows(tx, { nonce: `${appId}\n${nonce}` });
  const [, seen] = await Promise.all([locked, findInAny(neighbours)?.rows(tx, { appId, nonce, now })]);
  if (seen !== undefined && seen.length > 0) return false;
  const expiresAt = Math.max(now, timestamp) + limits.nonceTtlMs;
  const inserted = STATEMENTS[own].insert.affected(tx, { appId, nonce, timestamp, expiresAt, now });
  // Read after the insert: the insert waits for a concurrent sweep of the partition, so this read sees what the sweep
  // stored.
  const [taken, mark] = await Promise.all([inserted, findEmptiedTo.first(tx, {})]);
  return taken === 1 && (mark === undefined || timestamp > Number(mark.value));
}

async function endOfShared(tx: Db, { appId, nonce, now }: NonceUse, limits: NonceLimits): Promise<number | null> {
  for (const partition of partitionsInForce(now, limits)) {
    const row = await STATEMENTS[partition].find.first(tx, { appId, nonce, now });
    if (row !== undefined) return row.expires_at;
  }
  return null;
}

/** Reads the active nonces, a page at a time. */
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
      for (const row of rows) if (row.expires_at >= now) memory.add(row.app_id, row.nonce, row.expires_at, now);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = last;
    }
  }
}

/** Needed because two calls with one nonce, whose timestamps belong to different partitions, share no index. */
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

/** Overwrites a row that has expired but was not deleted because its partition was never truncated. */
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
          .where(`${partition}.expires_at`, "<", param("now")),
      ),
  );
}

function findIn(...partitions: readonly [Partition, ...Partition[]]) {
  return prepared<{ appId: string; nonce: string; now: number }>()((db, param) => {
    const [first, ...others] = partitions.map((partition) =>
      db
        .selectFrom(partition)
        .select("expires_at")
        .where("app_id", "=", param("appId"))
        .where("nonce", "=", param("nonce"))
        .where("expires_at", ">=", param("now")),
    );
    if (first === undefined) throw new Error("no partition to look into");
    return others.reduce((query, other) => query.unionAll(other), first);
  });
}

/** Cached by partition names; there are as many as there are runs of adjacent partitions. */
const FINDS_IN_ANY = new Map<string, ReturnType<typeof findIn>>();

/** One statement for several partitions; null for none, which happens with short lifetimes. */
function findInAny(partitions: readonly Partition[]): ReturnType<typeof findIn> | null {
  const [first, ...others] = partitions;
  if (first === undefined) return null;
  const key = partitions.join(" ");
  const find = FINDS_IN_ANY.get(key) ?? findIn(first, ...others);
  FINDS_IN_ANY.set(key, find);
  return find;
}
