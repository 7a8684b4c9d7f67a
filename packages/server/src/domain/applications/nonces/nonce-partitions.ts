import type { Schema } from "../../../platform/storage/schema.ts";

/*
 * Used nonces are stored in six partitions, chosen by the timestamp that the caller signed: floor(timestamp / 10 min)
 * mod 6. A replay carries the same timestamp, so it always hits the same primary key, at any time and in any process.
 * The same nonce with another timestamp is detected in one of two ways:
 *
 * - PostgreSQL: unique by (app_id, nonce) within a partition. The adjacent partitions are read under a lock, because
 *   two calls whose timestamps belong to different partitions share no index.
 * - SQLite: unique by (signed_at, app_id, nonce), which keeps rows in time order. A call then appends to the end of the
 *   tree instead of writing a page of its own; page writes are most of the cost of a durable call. There is one
 *   process, which keeps the active nonces in memory and has read them from the database at its start.
 *
 * A partition is written from at most 10 min before its span (the widest timestamp window that can be configured) and
 * read until at most 20 min after it (window plus longest lifetime). So at most five of the six are in use, and the
 * sixth can be truncated.
 *
 * No single clock decides when a nonce has expired (clock-witnesses.ts): a nonce stays as long as any clock may still
 * accept it. All clocks may turn out wrong, so the newest timestamp that was deleted is stored. A timestamp up to that
 * one is never accepted again, because the nonces used with it are no longer known.
 */
export const SPAN_MS = 600_000;
export const PARTITIONS = [
  "nonces_0",
  "nonces_1",
  "nonces_2",
  "nonces_3",
  "nonces_4",
  "nonces_5",
] as const satisfies (keyof Schema)[];
export type Partition = (typeof PARTITIONS)[number];

/** A nonce to consume. Times are epoch milliseconds. */
export interface NonceUse {
  appId: string;
  nonce: string;
  timestamp: number;
  /** The time at which the timestamp was accepted. */
  now: number;
}

/** The lifetime of nonces, in milliseconds. */
export interface NonceLimits {
  nonceTtlMs: number;
  timestampWindowMs: number;
}

/** The partition of nonces signed at `timestamp` (epoch milliseconds). */
export function partitionOf(timestamp: number): Partition {
  const index = Math.floor(timestamp / SPAN_MS) % PARTITIONS.length;
  return PARTITIONS[index] ?? PARTITIONS[0];
}

/**
 * The partitions that may contain a nonce which has not expired at `earliest`, or at a time between it and `latest`.
 */
export function partitionsInForce(
  earliest: number,
  { nonceTtlMs, timestampWindowMs }: NonceLimits,
  latest = earliest,
): Set<Partition> {
  const partitions = new Set<Partition>();
  const newest = latest + timestampWindowMs;
  for (let at = earliest - timestampWindowMs - nonceTtlMs; at < newest; at += SPAN_MS) partitions.add(partitionOf(at));
  return partitions.add(partitionOf(newest));
}
