import assert from "node:assert/strict";
import { it } from "node:test";
import { ProcessorUse, untilProcessorsIdle } from "./processor-use.ts";

/** Two processors that did nothing for so many milliseconds of each second; the last number stands for all later ones. */
function processors(...idleOfEach: number[]): ProcessorUse {
  let [seconds, idle] = [0, 0];
  return new ProcessorUse(() => {
    if (seconds > 0) idle += idleOfEach[Math.min(seconds, idleOfEach.length) - 1] ?? 0;
    const busy = 1_000 * seconds++ - idle;
    const times = { user: busy / 2, nice: busy / 8, sys: busy / 4, irq: busy / 8, idle };
    return [{ times }, { times }];
  });
}

it("the idle share is of the time since it was last asked for", () => {
  const use = processors(1_000, 250, 0);
  assert.deepEqual([use.idleShare(), use.idleShare(), use.idleShare()], [1, 0.25, 0]);
});

it("processors that have had no time since then are not idle", () => {
  const times = { user: 1, nice: 0, sys: 0, irq: 0, idle: 9 };
  assert.equal(new ProcessorUse(() => [{ times }]).idleShare(), 0);
});

it("the machine's own processors have done something, and nothing else than idle or work", () => {
  const use = new ProcessorUse();
  const until = performance.now() + 50;
  while (performance.now() < until);
  const share = use.idleShare();
  assert.ok(share >= 0 && share < 1, `${share}`);
});

it("waits while the processors are busy, and not longer", async () => {
  const use = processors(0, 390, 400, 0);
  assert.equal(await untilProcessorsIdle(new AbortController().signal, use, 1), true);
  assert.equal(use.idleShare(), 0, "it has looked at three seconds");
});

it("stops waiting when there is nothing more to wait for", async () => {
  const over = new AbortController();
  const waiting = untilProcessorsIdle(over.signal, processors(0), 3_600_000);
  over.abort();
  assert.equal(await waiting, false);
  assert.equal(await untilProcessorsIdle(over.signal, processors(1_000), 1), false);
});
