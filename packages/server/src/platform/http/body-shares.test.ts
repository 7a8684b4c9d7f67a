import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Body, BodyShares } from "./body-shares.ts";

const MOST = 8_000;

/**
 * Shares of 8,000 bytes, 1,000 for each caller, and a record of aborted bodies. By default half of the memory is used
 * already.
 */
function shares(taken = MOST / 2) {
  const all = new BodyShares(MOST);
  const gone: string[] = [];
  const begin = (name: string, caller: string, address = "a"): Body => {
    const giveWay = () => {
      gone.push(name);
      all.end(body);
    };
    const body = all.begin({ caller, address }, giveWay);
    return body;
  };
  for (let caller = 0; all.bytes < taken; caller++) {
    const body = begin("whole", `whole ${caller}`);
    all.reserve(body, MOST / 8);
    all.complete(body);
  }
  return { all, gone, begin };
}

test("a caller's oldest unfinished body is aborted for their next one, and nobody else's", () => {
  const { all, gone, begin } = shares();
  for (const name of ["x1", "x2"]) assert.ok(all.reserve(begin(name, "x"), 400));
  assert.ok(all.reserve(begin("y1", "y"), 1_000));
  assert.ok(all.reserve(begin("x3", "x"), 400));
  assert.deepEqual(gone, ["x1"]);
});

test("among a caller's addresses, the one that uses most is aborted", () => {
  const { all, gone, begin } = shares();
  assert.ok(all.reserve(begin("honest", "x", "h"), 100));
  for (let n = 0; n < 9; n++) assert.ok(all.reserve(begin(`flood ${n}`, "x", "f"), 100));
  assert.ok(all.reserve(begin("more", "x", "h"), 500));
  assert.ok(gone.length >= 5);
  assert.ok(!gone.includes("honest") && !gone.includes("more"), String(gone));
});

test("when all memory is used, a body of the caller that uses most is aborted, not of one that uses little", () => {
  const { all, gone, begin } = shares();
  for (let n = 0; n < 3; n++) assert.ok(all.reserve(begin(`full ${n}`, `${n}`), 1_000));
  for (let n = 0; n < 10; n++) assert.ok(all.reserve(begin(`part ${n}`, `small ${n}`), 100));
  assert.ok(all.reserve(begin("one more", "other"), 50));
  assert.deepEqual(gone, ["full 0"]);
});

test("complete bodies are not aborted: the next one is refused", () => {
  const { all, gone, begin } = shares();
  const bodies = ["1", "2"].map((name) => begin(name, "x"));
  for (const body of bodies) {
    assert.ok(all.reserve(body, 500));
    all.complete(body);
  }
  const next = begin("3", "x");
  assert.ok(!all.reserve(next, 1));
  assert.deepEqual(gone, []);
  for (const body of bodies) all.end(body);
  assert.ok(all.reserve(next, 1));
  all.end(next);
  assert.equal(all.bytes, MOST / 2);
});

test("a caller may exceed its share while half is free, and loses the excess when others come", () => {
  const { all, gone, begin } = shares(0);
  for (let n = 0; n < 8; n++) assert.ok(all.reserve(begin(`x${n}`, "x"), 500));
  assert.deepEqual(gone, []);
  assert.ok(all.reserve(begin("x8", "x"), 500));
  assert.deepEqual(gone, ["x0", "x1"]);
  for (let n = 0; n < 5; n++) assert.ok(all.reserve(begin(`y${n}`, `y${n}`), 1_000));
  assert.ok(gone.length > 2 && gone.every((name) => /^x/.test(name)), String(gone));
});

test("a body is never aborted for itself", () => {
  const { all, gone, begin } = shares();
  const alone = begin("alone", "x");
  assert.ok(all.reserve(alone, 600));
  assert.ok(!all.reserve(alone, 600));
  assert.deepEqual([gone, all.bytes], [[], MOST / 2 + 600]);
});

test("for any sequence the limits hold, and in the end nothing is counted", () => {
  const step = fc.record({
    caller: fc.integer({ min: 0, max: 12 }),
    address: fc.integer({ min: 0, max: 2 }),
    bytes: fc.integer({ min: 0, max: 700 }),
    next: fc.constantFrom("grow", "complete", "end"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { all, begin } = shares(0);
      const taken = new Map<string, Set<Body>>();
      const own = new Set<Body>();
      for (const [n, { caller, address, bytes, next }] of steps.entries()) {
        const body = begin(String(n), String(caller), String(address));
        const others = taken.get(String(caller)) ?? new Set();
        taken.set(String(caller), others.add(body));
        own.add(body);
        const { giveWay } = body;
        Object.assign(body, {
          giveWay: () => {
            giveWay();
            own.delete(body);
            others.delete(body);
          },
        });
        if (all.reserve(body, bytes) && next === "complete") all.complete(body);
        if (next === "end") {
          all.end(body);
          own.delete(body);
          others.delete(body);
        }
        assert.ok(all.bytes <= MOST);
        for (const bodies of taken.values()) {
          assert.ok([...bodies].reduce((sum, one) => sum + one.bytes, 0) <= MOST / 2);
        }
      }
      for (const body of own) all.end(body);
      assert.equal(all.bytes, 0);
    }),
    { numRuns: 50 },
  );
});

test("a body that has arrived completely makes others give way, gives way to none, and counts until it ends", () => {
  const { all, gone, begin } = shares();
  assert.ok(all.reserve(begin("x1", "x"), 1_000));
  const whole = all.hold({ caller: "x", address: "a" }, 600);
  assert.ok(whole);
  assert.deepEqual(gone, ["x1"]);
  const before = all.bytes;
  assert.equal(all.hold({ caller: "x", address: "a" }, 600), null);
  assert.equal(all.bytes, before);
  all.end(whole);
  assert.equal(all.bytes, before - 600);
  assert.ok(all.hold({ caller: "x", address: "a" }, 600));
});
