import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RECENT_MINUTES, RecentCalls } from "./recent-calls.ts";

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const CALL = { at: NOW, method: "GET", route: "/a", status: 200, durationMs: 4 };

describe("the calls of the last minutes", () => {
  it("are counted by what became of them", () => {
    const calls = new RecentCalls();
    for (const status of [200, 204, 404, 429, 500, 503, 503]) calls.add({ ...CALL, status });
    const { calls: all, refused, failed } = calls.figuresAt(NOW);
    assert.deepEqual([all, refused, failed], [7, 2, 3]);
  });
  it("name the slowest routes first, ten at most", () => {
    const calls = new RecentCalls();
    for (let n = 1; n <= 12; n++) calls.add({ ...CALL, route: `/${n}`, durationMs: n * 100 });
    const { slowest } = calls.figuresAt(NOW);
    assert.equal(slowest.length, 10);
    assert.deepEqual(slowest[0], { method: "GET", route: "/11", calls: 1, failed: 0, p50: 2_000, p95: 2_000 });
    assert.ok(slowest.every(({ p95 }, index) => p95 <= (slowest[index - 1]?.p95 ?? p95)));
  });
  it("are forgotten after their minutes", () => {
    const calls = new RecentCalls();
    calls.add(CALL);
    assert.equal(calls.figuresAt(NOW + RECENT_MINUTES * MINUTE_MS).calls, 1);
    assert.equal(calls.figuresAt(NOW + (RECENT_MINUTES + 1) * MINUTE_MS).calls, 0);
    assert.equal(calls.figuresAt(NOW + (RECENT_MINUTES + 1) * MINUTE_MS).latency, null);
  });
  it("are not those of a time that has not come, when the clock was set back", () => {
    const calls = new RecentCalls();
    calls.add(CALL);
    calls.add({ ...CALL, at: NOW - 60 * MINUTE_MS, route: "/b" });
    const { calls: all, slowest } = calls.figuresAt(NOW - 60 * MINUTE_MS);
    assert.deepEqual([all, slowest.map(({ route }) => route)], [1, ["/b"]]);
  });
});
