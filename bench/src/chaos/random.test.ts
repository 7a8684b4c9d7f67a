import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "./random.ts";

test("numbers cover their range evenly", () => {
  const random = new Random(1);
  const counts = new Map<number, number>();
  for (let count = 0; count < 6_000; count++) {
    const number = random.between(1, 6);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  assert.deepEqual([...counts.keys()].sort(), [1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) assert.ok(count > 850 && count < 1_150, String(count));
});

test("forks of a source are reproducible, and differ by their names", () => {
  assert.notEqual(new Random(3).fork("a").next(), new Random(3).fork("b").next());
  assert.equal(new Random(3).fork("a").next(), new Random(3).fork("a").next());
});

test("nothing is picked from an empty list", () => {
  assert.throws(() => new Random(1).pick([]), RangeError);
});
