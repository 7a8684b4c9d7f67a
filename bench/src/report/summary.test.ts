import assert from "node:assert/strict";
import { test } from "node:test";
import type { Phase } from "../phase.ts";
import { summarize } from "./summary.ts";

const phase = (perSecond: number): Phase => ({
  answered: perSecond,
  perSecond,
  p50Ms: 1,
  p99Ms: 5,
  serverCpu: 1,
  serverCpuMsPerCall: 1_000 / perSecond,
  generatorCpu: 0.4,
});
const showing = (name: string, rates: number[]) => ({
  name,
  rounds: rates.map((rate) => ({ full: phase(rate), half: phase(rate / 2) })),
  peakMemoryBytes: null,
  acknowledged: 0,
  kept: null,
});

test("the ratio to the floor is computed per round", () => {
  const [, embedded] = summarize([showing("floor", [1_000, 2_000, 500]), showing("embedded", [500, 600, 300])]);
  assert.deepEqual(embedded?.ratio, { median: 0.5, min: 0.3, max: 0.6 });
  assert.deepEqual(embedded?.perSecond, { median: 500, min: 300, max: 600 });
});
