import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Claim } from "../src/domain/webhooks/dispatcher/app-deliveries.ts";
import { type Bounds, boundsFor } from "../src/domain/webhooks/dispatcher/bounds.ts";
import { DeliveryMachine } from "../src/domain/webhooks/dispatcher/delivery-machine.ts";
import { type Chances, ModelWorld } from "./support/model-deliveries.ts";

/** Small bounds, which few deliveries reach. */
const BOUNDS: Bounds = {
  ...boundsFor(3),
  maxAttempting: 6,
  share: 1,
  maxShared: 4,
  maxClaims: 14,
  aheadFactor: 3,
  wokenAtOnce: 2,
};

const chances: fc.Arbitrary<Chances> = fc.record({
  seed: fc.integer(),
  slow: fc.constantFrom(0, 0.3, 1),
  failing: fc.constantFrom(0, 0.2, 1),
  broken: fc.constantFrom(0, 0.1),
  lockedRows: fc.constantFrom(0, 0.2),
});

const worlds = fc
  .record({
    chances,
    dues: fc.array(fc.record({ app: fc.nat(19), at: fc.oneof(fc.constant(0), fc.nat(20_000)) }), { maxLength: 120 }),
  })
  .map(({ chances: given, dues }) => new ModelWorld(BOUNDS, given, dues));

test("in any sequence of events every delivery ends, no claim is attempted twice, and all bounds hold", () => {
  fc.assert(
    fc.property(worlds, (world) => {
      world.start();
      world.runUntilIdle();
      assert.deepEqual(world.unfinished(), []);
    }),
    { numRuns: 300 },
  );
});

test("after a close no attempt begins, and every claim is released or has ended", () => {
  fc.assert(
    fc.property(worlds, fc.nat(400), (world, events) => {
      world.start();
      world.run(events);
      world.close();
      assert.deepEqual(world.claimedByNobody(), [], "all that was claimed has ended or is released");
    }),
    { numRuns: 300 },
  );
});

test("no application starves: one with a fast receiver gets attempts while others hang", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), fc.nat(15_000), (seed, hanging, at) => {
      const backlog = Array.from({ length: hanging * 40 }, (_, index) => ({ app: index % hanging, at: 0 }));
      const chances = { seed, slow: 0, failing: 0, broken: 0, lockedRows: 0 };
      const world = new ModelWorld(BOUNDS, chances, [...backlog, { app: 7, at }], { hanging });
      world.start();
      world.runUntil(() => world.firstAttemptOf(7) !== null);
      const waitedMs = (world.firstAttemptOf(7) ?? Number.POSITIVE_INFINITY) - at;
      assert.ok(waitedMs <= 1_000, `it waited ${waitedMs} ms`);
    }),
    { numRuns: 100 },
  );
});

test("no application starves: when all receivers hang, waiting applications take turns", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const apps = 30;
      const backlog = Array.from({ length: apps * 10 }, (_, index) => ({ app: index % apps, at: 0 }));
      const chances = { seed, slow: 0, failing: 0, broken: 0, lockedRows: 0 };
      const world = new ModelWorld(BOUNDS, chances, backlog, { hanging: apps });
      world.start();
      world.runUntil(() =>
        Array.from({ length: apps }, (_, app) => world.firstAttemptOf(app)).every((at) => at !== null),
      );
      // All get a turn soon: an attempt takes a second here, and some run concurrently.
      const last = Math.max(
        ...Array.from({ length: apps }, (_, app) => world.firstAttemptOf(app) ?? Number.POSITIVE_INFINITY),
      );
      assert.ok(last <= apps * 1_000, `the last waited ${last} ms`);
    }),
    { numRuns: 50 },
  );
});

/** A running machine, with helpers for one application. */
function started() {
  const machine = new DeliveryMachine<Claim>(BOUNDS);
  machine.start();
  const at = { now: 1_000, monotonic: 0 };
  const claims = (count: number, probe: string | null = null): Claim[] =>
    Array.from({ length: count }, () => ({ appId: "a", claimedAt: at.monotonic, probe, stage: "waiting" as const }));
  const steps = () => machine.takeSteps().map((step) => step.step);
  return { machine, at, claims, steps };
}

test("an open circuit holds everything back until its time, and arms the timer for it", () => {
  const { machine, at, steps } = started();
  machine.wake("a", at);
  assert.deepEqual(steps(), ["poll"]);
  machine.refused("a", 5_000, at);
  machine.pollEnded("a", at);
  assert.deepEqual(machine.takeSteps(), [{ step: "timer", at: 5_000 }]);
  machine.wake("a", at);
  assert.deepEqual(steps(), [], "a hint does not make it look");
  machine.timerEnded({ now: 4_999, monotonic: 0 });
  assert.deepEqual(machine.takeSteps(), [{ step: "timer", at: 5_000 }], "a timer that ends early is armed again");
  machine.timerEnded({ now: 5_000, monotonic: 0 });
  assert.deepEqual(steps(), ["poll"]);
});

test("during a probe nothing is claimed; its success closes the circuit and is announced", () => {
  const { machine, at, claims, steps } = started();
  machine.wake("a", at);
  assert.deepEqual(steps(), ["poll"]);
  assert.equal(machine.admitted("a", true), 1);
  const [probe] = claims(1, "token");
  assert.ok(probe);
  machine.claimed("a", [probe], 1, at);
  machine.pollEnded("a", at);
  assert.deepEqual(steps(), ["attempt"]);
  machine.wake("a", at);
  assert.deepEqual(steps(), []);
  machine.judged(probe, { success: true, fast: true, passes: true });
  machine.attempted(probe, at);
  assert.deepEqual(steps(), ["announce"]);
  machine.recorded(probe, null, at);
  assert.deepEqual(machine.takeSteps(), [{ step: "poll", appId: "a", room: 1 }], "the pace begins at one");
});

test("a probe's claim cannot end before the probe has a result or is released", () => {
  const { machine, at, claims } = started();
  machine.wake("a", at);
  machine.admitted("a", true);
  const [probe] = claims(1, "token");
  assert.ok(probe);
  machine.claimed("a", [probe], 1, at);
  assert.throws(() => machine.attempted(probe, at), { name: "InvariantBroken" });
});

test("when the circuit opens, waiting claims are released and running attempts continue", () => {
  const { machine, at, claims, steps } = started();
  machine.wake("a", at);
  machine.admitted("a", false);
  const three = claims(3);
  machine.claimed("a", [...three, ...claims(0)], 3, at);
  machine.pollEnded("a", at);
  assert.deepEqual(steps(), ["poll", "attempt", "attempt", "attempt"]);
  const [first] = three;
  assert.ok(first);
  machine.judged(first, { success: false, fast: false, passes: false });
  assert.deepEqual(steps(), [], "nothing waits");
  machine.attempted(first, at);
  machine.recorded(first, null, at);
  assert.deepEqual(steps(), ["poll"]);
});

test("a transition that does not fit the state is refused", () => {
  const { machine, at, claims } = started();
  assert.throws(() => machine.pollEnded("a", at), { name: "InvariantBroken" });
  machine.wake("a", at);
  assert.equal(machine.admitted("a", false), 3);
  assert.throws(() => machine.claimed("a", claims(4), 3, at), { name: "InvariantBroken" });
  const [claim] = claims(1);
  assert.ok(claim);
  machine.claimed("a", [claim], 3, at);
  machine.failed(claim, at);
  assert.throws(() => machine.failed(claim, at), { name: "InvariantBroken" }, "no claim ends twice");
});
