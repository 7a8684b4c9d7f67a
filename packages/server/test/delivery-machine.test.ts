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
  handedOver: fc.constantFrom(0, 0.5, 1),
});

const worlds = fc
  .record({
    chances,
    dues: fc.oneof(
      fc.array(fc.record({ app: fc.nat(19), at: fc.oneof(fc.constant(0), fc.nat(20_000)) }), { maxLength: 120 }),
      // So close together that the circuits stay known.
      fc.array(fc.record({ app: fc.nat(3), at: fc.nat(4_000) }), { minLength: 60, maxLength: 240 }),
    ),
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
      const chances = { seed, slow: 0, failing: 0, broken: 0, lockedRows: 0, handedOver: 0.5 };
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
      const chances = { seed, slow: 0, failing: 0, broken: 0, lockedRows: 0, handedOver: 0.5 };
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
  assert.equal(machine.admitted("a", true, 0), 1);
  const [probe] = claims(1, "token");
  assert.ok(probe);
  machine.claimed("a", [probe], 1, at);
  machine.pollEnded("a", at);
  assert.deepEqual(steps(), ["attempt"]);
  machine.wake("a", at);
  assert.deepEqual(steps(), []);
  machine.judged(probe, { success: true, fast: true, passes: true }, at);
  machine.attempted(probe, at);
  assert.deepEqual(steps(), ["announce"]);
  machine.recorded(probe, null, at);
  assert.deepEqual(machine.takeSteps(), [{ step: "poll", appId: "a", room: 1 }], "the pace begins at one");
});

test("a probe's claim cannot end before the probe has a result or is released", () => {
  const { machine, at, claims } = started();
  machine.wake("a", at);
  machine.admitted("a", true, 0);
  const [probe] = claims(1, "token");
  assert.ok(probe);
  machine.claimed("a", [probe], 1, at);
  assert.throws(() => machine.attempted(probe, at), { name: "InvariantBroken" });
});

test("when the circuit opens, waiting claims are released and running attempts continue", () => {
  const { machine, at, claims, steps } = started();
  machine.wake("a", at);
  machine.admitted("a", false, 0);
  const three = claims(3);
  machine.claimed("a", [...three, ...claims(0)], 3, at);
  machine.pollEnded("a", at);
  assert.deepEqual(steps(), ["poll", "attempt", "attempt", "attempt"]);
  const [first] = three;
  assert.ok(first);
  machine.judged(first, { success: false, fast: false, passes: false }, at);
  assert.deepEqual(steps(), [], "nothing waits");
  machine.attempted(first, at);
  machine.recorded(first, null, at);
  assert.deepEqual(steps(), ["poll"]);
});

test("an application that had its share while claims were scarce claims more as soon as they are not", () => {
  const { machine, at } = started();
  const polled = () => machine.takeSteps().flatMap((step) => (step.step === "poll" ? [step.appId] : []));
  const claim = (appId: string, count: number): Claim[] => {
    machine.wake(appId, at);
    assert.deepEqual(polled(), [appId]);
    const claims = Array.from({ length: count }, (): Claim => ({ appId, claimedAt: 0, probe: null, stage: "waiting" }));
    const limit = machine.admitted(appId, false, 0);
    machine.claimed(appId, claims, Math.max(limit, count), at);
    machine.pollEnded(appId, at);
    polled();
    return claims;
  };
  claim("a", 1);
  const [ended] = [claim("b", 3), claim("c", 2)];
  // They are being recorded: attempts may begin, but as many claims are held as there may be attempts.
  for (const one of ended) machine.attempted(one, at);
  machine.takeSteps();
  machine.wake("a", at);
  assert.deepEqual(polled(), [], "it has its share");
  for (const one of ended) machine.recorded(one, null, at);
  assert.ok(polled().includes("a"));
});

test("a transition that does not fit the state is refused", () => {
  const { machine, at, claims } = started();
  assert.throws(() => machine.pollEnded("a", at), { name: "InvariantBroken" });
  machine.wake("a", at);
  assert.equal(machine.admitted("a", false, 0), 3);
  assert.throws(() => machine.claimed("a", claims(4), 3, at), { name: "InvariantBroken" });
  const [claim] = claims(1);
  assert.ok(claim);
  machine.claimed("a", [claim], 3, at);
  machine.failed(claim, at);
  assert.throws(() => machine.failed(claim, at), { name: "InvariantBroken" }, "no claim ends twice");
});

test("a transaction claims only where the circuit was found closed just now and nothing else is due", () => {
  const { machine, at, claims } = started();
  const later = (ms: number) => ({ now: at.now + ms, monotonic: at.monotonic + ms });
  assert.equal(machine.reserve("a", at), false, "nothing is known of its circuit");
  machine.wake("a", at);
  machine.admitted("a", false, at.monotonic);
  const [claim] = claims(1);
  assert.ok(claim);
  machine.claimed("a", [claim], 3, at);
  assert.equal(machine.reserve("a", at), false, "the poll may bring as many as there is room for");
  machine.pollEnded("a", at);
  machine.takeSteps();
  assert.deepEqual([machine.reserve("a", at), machine.reserve("a", at), machine.reserve("a", at)], [true, true, false]);
  machine.written("a", 2, [], at);
  machine.judged(claim, { success: true, fast: false, passes: null }, at);
  machine.attempted(claim, at);
  machine.recorded(claim, null, at);
  assert.equal(machine.reserve("a", later(1_000)), true, "it is not forgotten at once");
  machine.written("a", 1, [], later(1_000));
  assert.equal(machine.reserve("a", later(1_001)), false, "that was too long ago");
  machine.reported("a", true, at.monotonic + 500);
  assert.equal(machine.reserve("a", later(1_001)), true, "an attempt was reported since");
  machine.written("a", 1, [], later(1_001));
  machine.advanceAll(later(1_501));
  machine.reported("a", true, at.monotonic + 1_500);
  assert.equal(machine.reserve("a", later(1_501)), false, "what is idle is forgotten after a while");
});

test("claims of a transaction are released when the circuit has opened meanwhile, or it took too long", () => {
  const { machine, at, claims, steps } = started();
  machine.wake("a", at);
  machine.admitted("a", false, at.monotonic);
  machine.pollEnded("a", at);
  assert.ok(machine.reserve("a", at));
  assert.ok(machine.reserve("a", at));
  const [late, early] = claims(2);
  assert.ok(late && early);
  machine.takeSteps();
  const muchLater = { now: at.now + 2_001, monotonic: at.monotonic + 2_001 };
  machine.written("a", 1, [late], muchLater);
  assert.deepEqual(steps(), ["release"]);
  machine.released("a", [late], muchLater);
  assert.deepEqual(steps(), ["poll"]);
  machine.admitted("a", true, muchLater.monotonic);
  machine.written("a", 1, [{ ...early, claimedAt: muchLater.monotonic }], muchLater);
  assert.deepEqual(steps(), ["release"], "the circuit lets one delivery pass: the poll's");
});

test("a close waits for the transactions that may bring claims, and releases those", () => {
  const { machine, at, claims } = started();
  machine.wake("a", at);
  machine.admitted("a", false, at.monotonic);
  machine.pollEnded("a", at);
  assert.ok(machine.reserve("a", at));
  machine.close();
  assert.equal(machine.isQuiet, false);
  assert.equal(machine.reserve("a", at), false);
  const [claim] = claims(1);
  assert.ok(claim);
  machine.written("a", 1, [claim], at);
  assert.equal(machine.isQuiet, true);
  assert.deepEqual(machine.remaining(), [claim]);
});
