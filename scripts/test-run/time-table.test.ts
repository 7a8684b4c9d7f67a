import assert from "node:assert/strict";
import { it } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { timeOf, timeTable } from "./time-table.ts";

function eventsOf(testId: number, parentId: number, ms: number, type: "suite" | "test"): TestEvent[] {
  const shared = { name: `${testId}`, testId, parentId, nesting: 0, tags: [], testNumber: 1 };
  return [
    { type: "test:start", data: shared },
    { type: "test:pass", data: { ...shared, details: { duration_ms: ms, type } } },
  ];
}

it("a file's time is split into tests and set-up; suites and tests with subtests are not counted twice", () => {
  const events = [
    ...eventsOf(1, 0, 900, "suite"),
    ...eventsOf(2, 1, 300, "test"),
    ...eventsOf(3, 1, 200, "test"),
    ...eventsOf(4, 3, 150, "test"),
  ];
  assert.deepEqual(timeOf("f", 1_000, { events, processorMs: 700 }), {
    file: "f",
    wholeMs: 1_000,
    testsMs: 450,
    processorMs: 700,
    tests: 2,
  });
});

it("the table has the slowest files and the sum of all", () => {
  const table = timeTable(
    [
      { file: "quick", wholeMs: 100, testsMs: 40, processorMs: 60, tests: 1 },
      { file: "slow", wholeMs: 12_340, testsMs: 2_340, processorMs: 20_040, tests: 20 },
      { file: "middle", wholeMs: 1_000, testsMs: 1_020, processorMs: 0, tests: 3 },
    ],
    2,
  );
  assert.deepEqual(table, [
    "   whole   tests  set-up     CPU   count",
    "  12.3 s   2.3 s  10.0 s  20.0 s      20  slow",
    "   1.0 s   1.0 s   0.0 s   0.0 s       3  middle",
    "  13.4 s   3.4 s  10.0 s  20.1 s      24  all 3 files",
  ]);
});
