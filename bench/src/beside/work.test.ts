import assert from "node:assert/strict";
import { test } from "node:test";
import type { Phase } from "../phase.ts";
import { shareOf } from "./work.ts";

const phase = (perSecond: number, serverCpuMsPerCall: number | null): Phase => {
  return { answered: 1, perSecond, p50Ms: 1, p99Ms: 1, serverCpu: 1, serverCpuMsPerCall, generatorCpu: 0.4 };
};

test("at full load the rates are compared", () => {
  assert.equal(shareOf({ pacedPerSecond: null }, { phase: phase(400, 9), base: phase(1_000, 1) }), 0.4);
});

test("at the same rate the processor times are compared: a call that costs twice as much has half", () => {
  assert.equal(shareOf({ pacedPerSecond: 250 }, { phase: phase(250, 2), base: phase(250, 1) }), 0.5);
  assert.ok(Number.isNaN(shareOf({ pacedPerSecond: 250 }, { phase: phase(250, null), base: phase(250, null) })));
});
