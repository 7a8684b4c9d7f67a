import assert from "node:assert/strict";
import { test } from "node:test";
import { FAULTS } from "./faults/index.ts";
import { planFaults } from "./plan.ts";
import { Random } from "./random.ts";

const SECONDS = 600;

function planOf(seed: number) {
  return planFaults(FAULTS, SECONDS, new Random(seed).fork("plan"));
}

function outline(seed: number) {
  return planOf(seed).map(({ fault, atMs, forMs, random }) => [fault.name, atMs, forMs, random.next()]);
}

test("the same seed makes the same faults at the same times, another seed others", () => {
  assert.deepEqual(outline(7), outline(7));
  assert.notDeepEqual(outline(7), outline(8));
});

test("faults come one at a time, after a calm beginning, and end within the run", () => {
  for (let seed = 0; seed < 50; seed++) {
    let before = 2_000;
    for (const { atMs, forMs } of planOf(seed)) {
      assert.ok(atMs >= before, `seed ${seed}: a fault begins before the one before it has ended`);
      before = atMs + forMs;
    }
    assert.ok(before <= SECONDS * 1_000);
  }
});

test("a long run has every fault, whatever the seed is", () => {
  for (let seed = 0; seed < 20; seed++) {
    assert.equal(new Set(planOf(seed).map(({ fault }) => fault)).size, FAULTS.length, `seed ${seed}`);
  }
});

test("without faults there is no plan", () => {
  assert.deepEqual(planFaults([], SECONDS, new Random(1)), []);
});
