import assert from "node:assert/strict";
import { test } from "node:test";
import { growingLru } from "./growing-lru.ts";

test("a growing cache keeps as many entries as it may, and forgets the one that was used the longest time ago", () => {
  const cache = growingLru<number>(3);
  for (const [index, key] of ["a", "b", "c"].entries()) cache.set(key, index);
  cache.get("a");
  cache.set("d", 3);
  assert.deepEqual([...cache.keys()].sort(), ["a", "c", "d"]);
  cache.set("a", 7);
  assert.equal(cache.size, 3);
  assert.equal(cache.get("a"), 7);
});
