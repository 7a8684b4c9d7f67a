import assert from "node:assert/strict";
import { test } from "node:test";
import { TokenBucket } from "./token-bucket.ts";

const T = 1_760_000_000_000;

test("the capacity is available at once, then as much as is refilled", () => {
  const bucket = new TokenBucket({ capacity: 10, perSecond: 2 });
  assert.ok(bucket.tryConsume(4, T));
  assert.ok(!bucket.tryConsume(7, T));
  assert.ok(bucket.tryConsume(6, T));
  assert.ok(!bucket.tryConsume(1, T + 400));
  assert.ok(bucket.tryConsume(1, T + 500));
  assert.ok(!bucket.tryConsume(1, T + 500));
});

test("it never holds more than its capacity", () => {
  const bucket = new TokenBucket({ capacity: 3, perSecond: 1 });
  assert.ok(bucket.tryConsume(1, T));
  assert.ok(!bucket.tryConsume(4, T + 86_400_000));
  assert.ok(bucket.tryConsume(3, T + 86_400_000));
});

test("setting the clock back refills nothing, and the time after that counts", () => {
  const bucket = new TokenBucket({ capacity: 2, perSecond: 1 });
  assert.ok(bucket.tryConsume(2, T));
  assert.ok(!bucket.tryConsume(1, T - 2_400_000));
  assert.ok(bucket.tryConsume(1, T - 2_400_000 + 1_000));
});
