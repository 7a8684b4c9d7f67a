import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryDeduplication } from "@portico/sdk";

test("an event is new once, busy while it is handled, and done afterwards", async () => {
  const memory = memoryDeduplication();
  assert.equal(memory.claim("a"), "new");
  assert.equal(memory.claim("a"), "busy");
  memory.finish("a");
  assert.equal(memory.claim("a"), "done");
  assert.equal(memory.claim("b"), "new");
});

test("an event that was released is new again", async () => {
  const memory = memoryDeduplication();
  await memory.claim("a");
  memory.release("a");
  assert.equal(memory.claim("a"), "new");
});

test("when the capacity is exceeded, the least recently used ids are forgotten", async () => {
  const memory = memoryDeduplication(2);
  for (const id of ["a", "b"]) {
    await memory.claim(id);
    memory.finish(id);
  }
  assert.equal(memory.claim("a"), "done");
  await memory.claim("c");
  memory.finish("c");
  assert.deepEqual([memory.claim("a"), memory.claim("c"), memory.claim("b")], ["done", "done", "new"]);
});

test("an event being handled is not forgotten, however many others arrive", async () => {
  const memory = memoryDeduplication(1);
  await memory.claim("slow");
  for (const id of ["a", "b", "c"]) {
    await memory.claim(id);
    memory.finish(id);
  }
  assert.equal(memory.claim("slow"), "busy");
});

test("10,000 ids are kept by default", async () => {
  const memory = memoryDeduplication();
  for (let index = 0; index <= 10_000; index++) {
    await memory.claim(`evt_${index}`);
    memory.finish(`evt_${index}`);
  }
  assert.equal(memory.claim("evt_1"), "done");
  assert.equal(memory.claim("evt_0"), "new");
});

test("a capacity must be a whole number from 1 on", () => {
  for (const capacity of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => memoryDeduplication(capacity), RangeError);
  }
});
