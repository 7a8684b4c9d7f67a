import assert from "node:assert/strict";
import { test } from "node:test";
import type { Phase } from "../phase.ts";
import { summarize } from "./summary.ts";
import { judge } from "./targets.ts";

const phase = (perSecond: number, p99Ms = 5): Phase => ({
  answered: perSecond,
  perSecond,
  p50Ms: 1,
  p99Ms,
  serverCpu: 1,
  serverCpuMsPerCall: 1_000 / perSecond,
  generatorCpu: 0.4,
});
const showing = (name: string, rates: number[], p99Ms?: number) => ({
  name,
  rounds: rates.map((rate) => ({ full: phase(rate), half: phase(rate / 2, p99Ms) })),
  peakMemoryBytes: null,
  acknowledged: 0,
  kept: null,
});

test("the ratio to the floor is taken round by round", () => {
  const [, embedded] = summarize([showing("floor", [1_000, 2_000, 500]), showing("embedded", [500, 600, 300])]);
  assert.deepEqual(embedded?.ratio, { median: 0.5, min: 0.3, max: 0.6 });
  assert.deepEqual(embedded?.perSecond, { median: 500, min: 300, max: 600 });
});

const cases: [ratio: number, standing: RegExp, failed: boolean][] = [
  [0.5, /: kept$/, false],
  [0.49, /not kept yet, above the minimum$/, false],
  [0.35, /not kept yet, above the minimum$/, false],
  [0.34, /below the minimum$/, true],
];
for (const [ratio, standing, failed] of cases) {
  test(`embedded at ${ratio} of the floor ${failed ? "fails" : "does not fail"} the run`, () => {
    const [, embedded] = summarize([showing("floor", [1_000]), showing("embedded", [1_000 * ratio])]);
    const [rate] = embedded ? judge(embedded) : [];
    assert.match(rate?.line ?? "", standing);
    assert.equal(rate?.failed, failed);
  });
}

test("latency at half load is held against its promise", () => {
  const lineFor = (p99Ms: number) => {
    const [, embedded] = summarize([showing("floor", [1_000]), showing("embedded", [500], p99Ms)]);
    return embedded ? judge(embedded)[1]?.line : undefined;
  };
  assert.match(lineFor(19.9) ?? "", /: kept$/);
  assert.match(lineFor(20) ?? "", /: not kept$/);
});
