import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { PacedSemaphore } from "./paced-semaphore.ts";

const settled = () => new Promise(setImmediate);

/** A semaphore on a mocked clock. */
function pacedSemaphore(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const pass = async (ms: number) => {
    now += ms;
    t.mock.timers.tick(ms);
    await settled();
  };
  return { turns: new PacedSemaphore(), pass };
}

describe("a paced semaphore", () => {
  test("starts the next piece after a pause as long as the previous one took", async (t) => {
    const { turns, pass } = pacedSemaphore(t);
    const piece = Promise.withResolvers<void>();
    const first = turns.run(() => piece.promise);
    await pass(20);
    piece.resolve();
    await first;
    let isDone = false;
    const second = turns.run(async () => {
      isDone = true;
    });
    await pass(19);
    assert.equal(isDone, false);
    await pass(1);
    await second;
  });
  test("pauses three times as long when others wait; the result is not delayed", async (t) => {
    const { turns, pass } = pacedSemaphore(t);
    const done: string[] = [];
    const piece = Promise.withResolvers<void>();
    const first = turns.run(() => piece.promise).then(() => done.push("first"));
    const second = turns.run(async () => done.push("second"));
    await pass(10);
    piece.resolve();
    await first;
    await pass(29);
    assert.deepEqual(done, ["first"]);
    await pass(1);
    await second;
    assert.deepEqual(done, ["first", "second"]);
  });
  test("pauses for 50 ms after a very slow piece", async (t) => {
    const { turns, pass } = pacedSemaphore(t);
    const piece = Promise.withResolvers<void>();
    const first = turns.run(() => piece.promise);
    const second = turns.run(async () => "second");
    await pass(4_000);
    piece.resolve();
    await first;
    await pass(50);
    assert.equal(await second, "second");
  });
  test("runs the pieces in order of arrival, also after a failed one", async (t) => {
    const { turns, pass } = pacedSemaphore(t);
    const begun: number[] = [];
    const runs = [0, 1, 2].map((n) =>
      turns.run(async () => {
        begun.push(n);
        if (n === 0) throw new Error("it failed");
      }),
    );
    await assert.rejects(runs[0] ?? assert.fail(), /it failed/);
    await pass(1);
    await pass(1);
    await Promise.all(runs.slice(1));
    assert.deepEqual(begun, [0, 1, 2]);
  });
});
