import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FairQueue } from "./fair-queue.ts";

/** A queue of items written as caller and number. */
function queueOf(max: number, ...items: string[]) {
  const queue = new FairQueue<string>(max);
  const add = (item: string) => queue.add(item.charAt(0), item);
  return { queue, add, refused: items.map(add).filter((item) => item !== null), rest: () => [...takeAll(queue)] };
}

function* takeAll(queue: FairQueue<string>) {
  for (let item = queue.take(); item !== null; item = queue.take()) yield item;
}

describe("a fair queue", () => {
  test("callers are served round-robin; each caller's items keep their order", () => {
    const { rest } = queueOf(9, "a1", "a2", "a3", "b1", "c1", "c2");
    assert.deepEqual(rest(), ["a1", "b1", "c1", "a2", "c2", "a3"]);
  });
  test("a new caller waits for one item of each earlier caller, not for all of them", () => {
    const { queue, add, rest } = queueOf(9, "a1", "a2", "a3");
    assert.equal(queue.take(), "a1");
    add("b1");
    assert.deepEqual(rest(), ["a2", "b1", "a3"]);
  });
  test("when the queue is full, the newest item of the caller with the most items makes room for a caller with fewer", () => {
    const { queue, add, refused, rest } = queueOf(4, "a1", "a2", "a3", "b1");
    assert.deepEqual([refused, queue.isFull], [[], true]);
    assert.equal(add("c1"), "a3");
    assert.deepEqual([add("c2"), add("a4"), add("b2")], ["c2", "a4", "b2"]);
    assert.deepEqual(rest(), ["a1", "b1", "c1", "a2"]);
  });
  test("when one caller fills the queue, its next item is refused until one has been taken", () => {
    const { queue, add } = queueOf(2, "a1", "a2");
    assert.equal(add("a3"), "a3");
    assert.equal(queue.take(), "a1");
    assert.equal(add("a4"), null);
  });
  test("newestOf finds a caller's last item as long as it is queued", () => {
    const { queue } = queueOf(9, "a1", "a2");
    assert.deepEqual([queue.newestOf("a"), queue.newestOf("b")], ["a2", null]);
    queue.take();
    queue.take();
    assert.deepEqual([queue.newestOf("a"), queue.take()], [null, null]);
  });
});
