import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryWatch } from "./memory-watch.ts";

test("a service's peak is the highest of its processes, and a service that is not reported is left out", () => {
  const memory = new MemoryWatch();
  const seen: [name: string, bytes: number | null][] = [
    ["embedded", 200],
    ["distributed", 170],
    ["embedded", 250],
    ["embedded", 240],
    ["elsewhere", null],
  ];
  for (const [name, bytes] of seen) memory.watch({ name, peakMemoryBytes: () => bytes });
  assert.deepEqual(memory.peaks(), [
    { name: "embedded", bytes: 250 },
    { name: "distributed", bytes: 170 },
  ]);
});
