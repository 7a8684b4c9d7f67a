import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SeqCache } from "./seq-cache.ts";

function newCache(maxBytes = 100_000) {
  let now = 1_000;
  const cache = new SeqCache<string>({ now: () => now, monotonic: () => now }, maxBytes, ({ length }) => length);
  return { cache, pass: (ms: number) => (now += ms) };
}

const found = (value: string, lastSeq: number) => async () => ({ value, lastSeq });

describe("what has been shown of a conversation", () => {
  test("is shown again while its last seq is the same, for less than a second", async () => {
    const { cache, pass } = newCache();
    await cache.load("page", found("first", 7));
    assert.equal(cache.get("page", 7), "first");
    assert.equal(cache.get("page", 8), undefined);
    assert.equal(cache.get("another", 7), undefined);
    pass(799);
    assert.equal(cache.mayHave("page"), true);
    assert.equal(cache.get("page", 7), "first");
    pass(1);
    assert.equal(cache.mayHave("page"), false);
    assert.equal(cache.get("page", 7), undefined);
  });

  test("is as old as the beginning of its read", async () => {
    const { cache, pass } = newCache();
    await cache.load("page", async () => {
      pass(700);
      return { value: "slow", lastSeq: 7 };
    });
    pass(99);
    assert.equal(cache.get("page", 7), "slow");
    pass(1);
    assert.equal(cache.get("page", 7), undefined);
  });

  test("is taken from a read in progress, unless that began before the latest change", async () => {
    const { cache } = newCache();
    const read = Promise.withResolvers<{ value: string; lastSeq: number }>();
    const loading = cache.load("page", () => read.promise);
    assert.equal(cache.mayHave("page"), true);
    const [same, newer] = [cache.getSoon("page", 7), cache.getSoon("page", 8)];
    read.resolve({ value: "shared", lastSeq: 7 });
    assert.deepEqual(await loading, { value: "shared", lastSeq: 7 });
    assert.equal(await same, "shared");
    assert.equal(await newer, null);
  });

  test("a read that fails, or finds nothing to keep, fails its own caller only", async () => {
    const { cache } = newCache();
    const read = Promise.withResolvers<null>();
    const loading = cache.load("page", () => read.promise);
    const other = cache.getSoon("page", 7);
    read.reject(new Error("away"));
    await assert.rejects(loading, /away/);
    assert.equal(await other, null);
    assert.equal(await cache.load("page", async () => null), null);
    assert.equal(cache.mayHave("page"), false);
  });

  test("what is read while a name changes is not kept, nor shown to those who come later", async () => {
    const { cache } = newCache();
    const read = Promise.withResolvers<{ value: string; lastSeq: number }>();
    const loading = cache.load("page", () => read.promise);
    cache.clear();
    assert.equal(await cache.getSoon("page", 7), null);
    read.resolve({ value: "by the old name", lastSeq: 7 });
    await loading;
    assert.equal(cache.get("page", 7), undefined);
  });

  test("the least used is forgotten when there is no more room; what is larger is not kept at all", async () => {
    const { cache } = newCache(2_000);
    for (const name of ["a", "b", "c"]) await cache.load(name, found("x".repeat(500), 1));
    assert.deepEqual(
      ["a", "b", "c"].map((name) => cache.get(name, 1) !== undefined),
      [false, true, true],
    );
    await cache.load("long", found("x".repeat(2_000), 1));
    assert.equal(cache.get("long", 1), undefined);
  });
});
