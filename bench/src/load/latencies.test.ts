import assert from "node:assert/strict";
import { test } from "node:test";
import { medianOf, quantileOf } from "./latencies.ts";

test("a quantile is the smallest value that its share does not exceed", () => {
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
