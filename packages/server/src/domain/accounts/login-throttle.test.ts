import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiError } from "@portico/protocol";
import { MemorySignIns } from "../../platform/coordination/memory-sign-ins.ts";
import { LoginThrottle } from "./login-throttle.ts";

const RIGHT = "the member";
const MINUTE = 60_000;

/** Sign-in attempts whose password checks the test completes, with their results. */
function attemptsAt(throttle: LoginThrottle) {
  const checks: PromiseWithResolvers<string | null>[] = [];
  const refused: ApiError[] = [];
  let answered = 0;
  const attempt = async (now = 0) => {
    try {
      await throttle.attempt("account", now, () => {
        const check = Promise.withResolvers<string | null>();
        checks.push(check);
        return check.promise;
      });
      answered++;
    } catch (error) {
      if (error instanceof ApiError) refused.push(error);
      else throw error;
    }
  };
  return { checks, refused, attempt, answered: () => answered };
}

describe("the throttle of sign-ins", () => {
  test("concurrent guesses have the same limit as sequential ones: ten are checked, the others are refused", async () => {
    const { checks, refused, attempt } = attemptsAt(new LoginThrottle(new MemorySignIns()));
    const all = Promise.all(Array.from({ length: 40 }, () => attempt()));
    await settled();
    assert.deepEqual([checks.length, refused.length], [10, 0]);
    for (const check of checks) check.resolve(null);
    await all;
    assert.deepEqual([checks.length, refused.length], [10, 30]);
    for (const { retryAfterSeconds } of refused) assert.equal(retryAfterSeconds, 600);
  });

  test("any number of concurrent correct sign-ins succeed: the eleventh waits", async () => {
    const { checks, refused, attempt, answered } = attemptsAt(new LoginThrottle(new MemorySignIns()));
    const all = Promise.all(Array.from({ length: 40 }, () => attempt()));
    await settled();
    assert.equal(checks.length, 10);
    for (const check of checks) check.resolve(RIGHT);
    while (answered() < 40) {
      await settled();
      for (const check of checks) check.resolve(RIGHT);
    }
    await all;
    assert.equal(refused.length, 0);
  });

  test("a success clears only the failures before it", async () => {
    const { checks, refused, attempt } = attemptsAt(new LoginThrottle(new MemorySignIns()));
    const first = Promise.all(Array.from({ length: 10 }, () => attempt()));
    await settled();
    checks[0]?.resolve(RIGHT);
    await settled();
    for (const check of checks) check.resolve(null);
    await first;
    const more = Promise.all([attempt(), attempt()]);
    await settled();
    assert.equal(checks.length, 11, "nine have failed");
    checks[10]?.resolve(null);
    await more;
    assert.equal(refused.length, 1);
  });

  test("a check that throws is not counted and lets the next attempt in", async () => {
    const throttle = new LoginThrottle(new MemorySignIns());
    const failing = () => throttle.attempt("account", 0, () => Promise.reject(new Error("the database is away")));
    await Promise.all(Array.from({ length: 40 }, () => assert.rejects(failing(), /away/)));
    assert.equal(await throttle.attempt("account", 0, async () => RIGHT), RIGHT);
  });

  test("a failure ages from the time its attempt began", async () => {
    const { checks, refused, attempt } = attemptsAt(new LoginThrottle(new MemorySignIns()));
    for (let n = 0; n < 10; n++) {
      const one = attempt(n * MINUTE);
      await settled();
      checks[n]?.resolve(null);
      await one;
    }
    await attempt(10 * MINUTE - 1);
    assert.deepEqual([refused.length, refused[0]?.retryAfterSeconds], [1, 1]);
    const late = attempt(10 * MINUTE);
    await settled();
    assert.equal(checks.length, 11);
    checks[10]?.resolve(null);
    await late;
  });

  test("the number of waiting attempts is bounded", async () => {
    const { checks, refused, attempt } = attemptsAt(new LoginThrottle(new MemorySignIns()));
    const all = Promise.all(Array.from({ length: 120 }, () => attempt()));
    await settled();
    assert.deepEqual([checks.length, refused.length], [10, 10]);
    for (const check of checks) check.resolve(null);
    await all;
  });
});

/** Resolves after the pending promise callbacks have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
