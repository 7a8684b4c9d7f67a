import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { labelledPlaces, ticksUpTo } from "./chart-scale.ts";

describe("the scale of a chart", () => {
  for (const [highest, ticks] of [
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [40, [0, 10, 20, 30, 40]],
    [1_234, [0, 500, 1_000, 1_500]],
  ] as const) {
    it(`up to ${highest} it has the lines ${ticks.join(", ")}`, () => {
      assert.deepEqual(ticksUpTo(highest), ticks);
    });
  }

  it("reaches the highest value with at most five lines, whatever it is", () => {
    for (let highest = 1; highest < 1e12; highest = Math.ceil(highest * 1.37)) {
      const ticks = ticksUpTo(highest);
      assert.ok((ticks.at(-1) ?? 0) >= highest && ticks.length <= 6, `${highest}: ${ticks}`);
    }
  });

  it("labels as many places as fit, the last among them", () => {
    assert.deepEqual(labelledPlaces(24, 600, 100), [3, 7, 11, 15, 19, 23]);
    assert.deepEqual(labelledPlaces(3, 600, 100), [0, 1, 2]);
    assert.deepEqual(labelledPlaces(60, 40, 100), [59]);
    assert.deepEqual(labelledPlaces(72, 1_000, 100, 24), [23, 47, 71]);
    assert.deepEqual(labelledPlaces(0, 600, 100), []);
  });
});
