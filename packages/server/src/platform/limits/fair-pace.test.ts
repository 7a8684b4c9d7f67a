import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { FairPace } from "./fair-pace.ts";

const settled = () => new Promise(setImmediate);

/** Callers who all come at once, each with its bytes; `gone` are those who may go, in their order. */
async function callers(t: TestContext, coming: [caller: string, bytes: number][]) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const pace = new FairPace({ everyMs: 4, maxWaiting: 3, maxBytes: 100 }, () => now);
  const gone: string[] = [];
  const come = (caller: string, bytes: number, isGone?: () => boolean) => {
    const turn = pace.next(caller, bytes, isGone);
    if (turn === null) gone.push(caller);
    else void turn.then(() => gone.push(caller));
  };
  for (const [caller, bytes] of coming) come(caller, bytes);
  /** @param lateMs how long the process is busy beside it. */
  const pass = async (ms: number, lateMs = 0) => {
    now += ms + lateMs;
    t.mock.timers.tick(ms);
    await settled();
  };
  return { pace, gone, come, pass };
}

describe("a fair pace", () => {
  test("lets the first go at once, and the others one by one, callers in turn", async (t) => {
    const { gone, come, pass } = await callers(t, [
      ["a1", 1],
      ["a", 1],
      ["a", 1],
      ["b", 1],
    ]);
    await pass(3);
    assert.deepEqual(gone, ["a1"]);
    await pass(1);
    assert.deepEqual(gone, ["a1", "a"]);
    await pass(4);
    assert.deepEqual(gone, ["a1", "a", "b"]);
    await pass(4);
    assert.deepEqual(gone, ["a1", "a", "b", "a"]);
    await pass(4);
    come("later", 1);
    assert.deepEqual(gone.at(-1), "later");
  });
  test("holds nobody up when too many wait", async (t) => {
    const { gone } = await callers(t, [
      ["first", 1],
      ["a", 1],
      ["a", 1],
      ["a", 1],
      ["one too many", 1],
    ]);
    assert.deepEqual(gone, ["first", "one too many"]);
  });
  test("holds nobody up who would keep too many bytes, until others have gone", async (t) => {
    const { gone, come, pass } = await callers(t, [
      ["first", 1_000],
      ["a", 60],
      ["too long", 41],
      ["b", 40],
    ]);
    assert.deepEqual(gone, ["first", "too long"]);
    await pass(4);
    come("c", 60);
    await settled();
    assert.deepEqual(gone, ["first", "too long", "a"]);
    await pass(4);
    await pass(4);
    assert.deepEqual(gone, ["first", "too long", "a", "b", "c"]);
  });
  test("lets as many go as are due when the process comes to its timer late", async (t) => {
    const { gone, pass } = await callers(t, [
      ["first", 1],
      ["a", 1],
      ["b", 1],
      ["c", 1],
    ]);
    await pass(4, 5);
    assert.deepEqual(gone, ["first", "a", "b"]);
    await pass(4);
    assert.deepEqual(gone, ["first", "a", "b", "c"]);
  });
  test("gives no turn to who is there no more", async (t) => {
    const { gone, come, pass } = await callers(t, [["first", 1]]);
    come("left", 1, () => true);
    come("a", 1);
    come("b", 1);
    await pass(4);
    assert.deepEqual(gone, ["first", "left", "a"], "it is let go, beside one who is there");
    await pass(4);
    assert.deepEqual(gone.at(-1), "b");
  });
  test("goes on when all that it comes upon have gone", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const pace = new FairPace({ everyMs: 1, maxWaiting: 1_000, maxBytes: 1_000 }, () => 0);
    void pace.next("first", 1);
    for (let n = 0; n < 300; n++) void pace.next("a", 1, () => true);
    let isDone = false;
    void pace.next("a", 1)?.then(() => {
      isDone = true;
    });
    for (let ms = 0; ms < 5; ms++) {
      t.mock.timers.tick(1);
      await settled();
    }
    assert.ok(isDone);
  });
  test("lets all go when it ends, and nobody wait any more", async (t) => {
    const { pace, gone, come } = await callers(t, [
      ["first", 1],
      ["a", 1],
      ["b", 1],
    ]);
    pace.end();
    await settled();
    come("later", 1);
    assert.deepEqual(gone, ["first", "a", "b", "later"]);
  });
});
