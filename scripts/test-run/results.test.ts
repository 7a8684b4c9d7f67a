import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Results } from "./results.ts";
import type { Tally } from "./tally.ts";

const failedOnce: Tally = { passed: 2, failed: [{ name: "a > one", message: "it was late" }], skipped: [] };
const passedNow: Tally = { passed: 3, failed: [], skipped: [] };

describe("the results of a run", () => {
  test("are the sum of all files", () => {
    const results = new Results();
    results.note("a", { ...failedOnce, skipped: [{ name: "a > two", reason: "no Redis" }] });
    results.note("b", passedNow);
    assert.deepEqual(results.total, {
      passed: 5,
      failed: failedOnce.failed,
      skipped: [{ name: "a > two", reason: "no Redis" }],
    });
    assert.deepEqual(results.unsteady, []);
  });
  test("name a test that failed and passes by itself, and count it as passed", () => {
    const results = new Results();
    results.note("a", failedOnce);
    assert.deepEqual(results.toRunAgain, ["a"]);
    results.noteAgain("a", passedNow);
    assert.deepEqual(results.total, passedNow);
    assert.deepEqual(results.unsteady, failedOnce.failed);
  });
  test("keep the failures of a file that has failed twice, though others failed the second time", () => {
    const results = new Results();
    results.note("a", failedOnce);
    results.noteAgain("a", { passed: 2, failed: [{ name: "a > two", message: "it was early" }], skipped: [] });
    assert.deepEqual(results.total, failedOnce);
    assert.deepEqual(results.unsteady, []);
  });
  test("send no file into a second run when more than five have failed", () => {
    const results = new Results();
    for (const file of ["a", "b", "c", "d", "e"]) results.note(file, failedOnce);
    assert.equal(results.toRunAgain.length, 5);
    results.note("f", failedOnce);
    assert.deepEqual(results.toRunAgain, []);
  });
});
