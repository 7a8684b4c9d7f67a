import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Durations } from "./durations.ts";

function durations(seconds: readonly number[]): Durations {
  const counted = new Durations();
  for (const each of seconds) counted.add(each * 1_000);
  return counted;
}

describe("durations", () => {
  test("without any there is nothing to tell", () => {
    assert.equal(new Durations().percentiles(), null);
  });
  test("a minute is exact, and a negative duration none", () => {
    assert.deepEqual(durations([1, 2, 3, 4, 5, 6, 7, 8, 9, 60]).percentiles(), { p50: 5, p90: 9 });
    assert.deepEqual(durations([-5]).percentiles(), { p50: 0, p90: 0 });
  });
  test("each percentile is at most 2% below that of the sorted list, and never above", () => {
    const list = fc.array(fc.integer({ min: 0, max: 40 * 86_400 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(list, (seconds) => {
        const sorted = seconds.toSorted((a, b) => a - b);
        const found = durations(seconds).percentiles();
        for (const [share, value] of [
          [0.5, found?.p50],
          [0.9, found?.p90],
        ] as const) {
          const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
          assert.ok(value !== undefined && value <= exact && value >= Math.floor(exact * 0.98), `${value} of ${exact}`);
        }
      }),
    );
  });
});
