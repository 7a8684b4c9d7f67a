import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { EvenPace } from "./even-pace.ts";

const settled = () => new Promise(setImmediate);

/** Callers who all come at once; `gone` are those who may go, in their order. */
async function callers(t: TestContext, count: number) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const pace = new EvenPace(4, 3);
  const gone: number[] = [];
  for (let n = 0; n < count; n++) void pace.next().then(() => gone.push(n));
  await settled();
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await settled();
  };
  return { pace, gone, pass };
}

describe("an even pace", () => {
  test("lets the first go at once, and the others one by one", async (t) => {
    const { gone, pass } = await callers(t, 3);
    assert.deepEqual(gone, [0]);
    await pass(3);
    assert.deepEqual(gone, [0]);
    await pass(1);
    assert.deepEqual(gone, [0, 1]);
    await pass(4);
    assert.deepEqual(gone, [0, 1, 2]);
  });
  test("holds nobody up when too many wait, nor when nobody has gone lately", async (t) => {
    const { pace, gone, pass } = await callers(t, 6);
    assert.deepEqual(gone, [0, 4, 5]);
    for (let n = 0; n < 4; n++) await pass(4);
    assert.deepEqual(gone, [0, 4, 5, 1, 2, 3]);
    await pace.next();
  });
});
