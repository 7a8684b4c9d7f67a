import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { consumeNonces } from "../src/domain/applications/nonces/nonce-batch.ts";
import { partitionOf, SPAN_MS } from "../src/domain/applications/nonces/nonce-partitions.ts";
import type { Storage } from "../src/platform/storage/storage.ts";
import { postgres } from "./support/engines.ts";
import { migratedStorage } from "./support/migrated-storage.ts";

const LIMITS = { nonceTtlMs: 300_000, timestampWindowMs: 300_000 };

describe("nonces that are consumed together", { skip: postgres.missing ?? false }, () => {
  let storage: Storage;
  let dispose: () => Promise<void>;
  before(async () => {
    ({ storage, dispose } = await migratedStorage());
  });
  after(() => dispose());

  test("each is kept for its lifetime from its own call on", async () => {
    const now = 1_800_000_000_000;
    const uses = [
      { appId: "app_a", nonce: "n-early", timestamp: now - 50, now },
      { appId: "app_a", nonce: "n-late", timestamp: now - 50, now: now + 40 },
      { appId: "app_b", nonce: "n-ahead", timestamp: now + 90_000, now },
    ];
    assert.deepEqual(await storage.write((tx) => consumeNonces(tx, uses, LIMITS)), [true, true, true]);
    const ends = new Map<string, number>();
    for (const partition of new Set(uses.map(({ timestamp }) => partitionOf(timestamp)))) {
      const rows = await storage.db.selectFrom(partition).select(["nonce", "expires_at"]).execute();
      for (const row of rows) ends.set(row.nonce, row.expires_at);
    }
    const ttl = LIMITS.nonceTtlMs;
    assert.deepEqual(Object.fromEntries(ends), {
      "n-early": now + ttl,
      "n-late": now + 40 + ttl,
      "n-ahead": now + 90_000 + ttl,
    });
  });

  test("a nonce is used once, whatever its timestamps, also beside a call whose body took long", async () => {
    const border = Math.ceil(1_800_100_000_000 / SPAN_MS) * SPAN_MS;
    const used = { appId: "app_a", nonce: "n-once", timestamp: border + 1, now: border + 10 };
    const again = { ...used, timestamp: border - 1 };
    const slow = { appId: "app_a", nonce: "n-slow", timestamp: border - 400_000, now: border - 400_000 };
    assert.deepEqual(await storage.write((tx) => consumeNonces(tx, [used], LIMITS)), [true]);
    assert.deepEqual(await storage.write((tx) => consumeNonces(tx, [slow, again], LIMITS)), [true, false]);
  });

  test("a nonce may be used again once it has expired for the call that uses it, not for an earlier one", async () => {
    const border = Math.ceil(1_800_200_000_000 / SPAN_MS) * SPAN_MS;
    const first = { appId: "app_c", nonce: "n-again", timestamp: border - 10, now: border - 10 };
    assert.deepEqual(await storage.write((tx) => consumeNonces(tx, [first], LIMITS)), [true]);
    const over = first.now + LIMITS.nonceTtlMs;
    const again = { ...first, timestamp: border + 10, now: over };
    const beside = { ...first, nonce: "n-other", timestamp: border + 20, now: over - 1_000 };
    assert.deepEqual(await storage.write((tx) => consumeNonces(tx, [again, beside], LIMITS)), [false, true]);
    const later = { ...again, now: over + 1 };
    const another = { ...beside, nonce: "n-third" };
    assert.deepEqual(await storage.write((tx) => consumeNonces(tx, [later, another], LIMITS)), [true, true]);
  });
});
