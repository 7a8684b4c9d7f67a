import type { Schema } from "../../../platform/storage/schema.ts";

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
 *
 * When a nonce is over is for no single clock to say (clock-witnesses.ts): what any of them may still accept stays. And
 * since all of them may turn out wrong, what was emptied last is remembered: a timestamp up to there is never accepted
 * again, whatever the clocks say by then, for nobody knows any more which nonces were used with it.
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

/** How long nonces live, in milliseconds. */
export interface NonceLimits {
  nonceTtlMs: number;
  timestampWindowMs: number;
}

/** Where the nonces lie that were signed at `timestamp` (epoch milliseconds). */
export function partitionOf(timestamp: number): Partition {
  const index = Math.floor(timestamp / SPAN_MS) % PARTITIONS.length;
  return PARTITIONS[index] ?? PARTITIONS[0];
}

/** The partitions in which a nonce that is alive at `now` may lie. */
export function partitionsInForce(now: number, { nonceTtlMs, timestampWindowMs }: NonceLimits): Set<Partition> {
  const partitions = new Set<Partition>();
  const newest = now + timestampWindowMs;
  for (let at = now - timestampWindowMs - nonceTtlMs; at < newest; at += SPAN_MS) partitions.add(partitionOf(at));
  return partitions.add(partitionOf(newest));
}
