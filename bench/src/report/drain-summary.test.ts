import assert from "node:assert/strict";
import { test } from "node:test";
import { summarizeDrains } from "./drain-summary.ts";

const drains = (name: string, rates: number[]) => ({
  name,
  rounds: rates.map((perSecond) => ({
    events: perSecond,
    perSecond,
    cpuMsPerEvent: 1_000 / perSecond,
    receiverCpu: 0.3,
  })),
});

test("the ratio to the bare loop is computed per round", () => {
  const [yardstick, service] = summarizeDrains([drains("bare", [1_000, 2_000, 500]), drains("x", [500, 600, 300])]);
  assert.deepEqual(yardstick?.ratio, { median: 1, min: 1, max: 1 });
  assert.deepEqual(service?.ratio, { median: 0.5, min: 0.3, max: 0.6 });
  assert.deepEqual(service?.perSecond, { median: 500, min: 300, max: 600 });
  assert.equal(service?.cpuMsPerEvent, 2);
});
