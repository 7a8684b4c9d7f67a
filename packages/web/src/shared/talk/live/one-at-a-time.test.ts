import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { oneAtATime } from "./one-at-a-time.ts";

describe("one at a time", () => {
  it("calls during a run share one more run after it", async () => {
    const ends: (() => void)[] = [];
    const ask = oneAtATime(() => new Promise((done) => ends.push(done)));
    const first = ask();
    const others = [ask(), ask(), ask()];
    assert.equal(ends.length, 1);
    ends[0]?.();
    await first;
    await new Promise((done) => setImmediate(done));
    assert.equal(ends.length, 2);
    ends[1]?.();
    await Promise.all(others);
    assert.equal(ends.length, 2);
  });

  it("a call after the run begins another", async () => {
    let runs = 0;
    const ask = oneAtATime(async () => {
      runs++;
    });
    await ask();
    await ask();
    assert.equal(runs, 2);
  });
});
