import assert from "node:assert/strict";
import { test } from "node:test";
import { medianOf, quantileOf, quantilesOf } from "./latencies.ts";

test("a quantile is the smallest value that covers its share", () => {
  const sorted = Float64Array.from({ length: 100 }, (_, index) => index + 1);
  assert.equal(quantileOf(sorted, 0.5), 50);
  assert.equal(quantileOf(sorted, 0.99), 99);
  assert.equal(quantileOf(sorted, 1), 100);
  assert.equal(quantileOf(Float64Array.of(7), 0.01), 7);
});

test("a median is the middle value, or the mean of the two in the middle", () => {
  assert.equal(medianOf([9, 1, 5]), 5);
  assert.equal(medianOf([4, 1, 2, 100]), 3);
});

test("quantiles do not depend on the order of the times", () => {
  const times = Array.from({ length: 200 }, (_, index) => 200 - index);
  assert.deepEqual(quantilesOf(times), { p50Ms: 100, p95Ms: 190, p99Ms: 198, worstMs: 200 });
});
