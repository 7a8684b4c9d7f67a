import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProcessHealth, RouteFigures } from "@portico/protocol";
import { slowestOfAll, sumOf } from "./sum-figures.ts";

const ROUTE: RouteFigures = { method: "GET", route: "/a", calls: 2, failed: 1, p50: 10, p95: 20 };

function process(slowest: RouteFigures[]): ProcessHealth {
  const identity = { processId: "p", host: "h", pid: 1, version: "1", startedAt: 0, seenAt: 0, isThis: false };
  return { ...identity, memoryBytes: 1, figures: { calls: 5, refused: 2, failed: 1, latency: null, slowest } };
}

describe("the figures of several processes", () => {
  it("are added up", () => {
    assert.deepEqual(sumOf([process([]), process([])]), { calls: 10, refused: 4, failed: 2 });
  });
  it("name a route once, as slow as where it is slowest", () => {
    const other = { ...ROUTE, route: "/b", p95: 30 };
    assert.deepEqual(slowestOfAll([process([ROUTE, other]), process([{ ...ROUTE, p95: 50 }])]), [
      { ...ROUTE, calls: 4, failed: 2, p95: 50 },
      other,
    ]);
  });
});
