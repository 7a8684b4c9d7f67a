import assert from "node:assert/strict";
import { resolve } from "node:path";
import { it } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { failureLines, tally } from "./tally.ts";

const FILE = resolve("some/file.test.ts");

interface Case {
  name: string;
  type?: "suite" | "test";
  fails?: boolean;
  skip?: string | boolean;
  todo?: string;
  children?: Case[];
}

/** The test runner's events for these cases. */
function eventsOf(cases: Case[]): TestEvent[] {
  let lastId = 0;
  function report(one: Case, parentId: number, nesting: number): TestEvent[] {
    lastId += 1;
    const shared = { name: one.name, testId: lastId, parentId, nesting, tags: [], testNumber: 1 };
    const start: TestEvent = { type: "test:start", data: shared };
    const children = (one.children ?? []).flatMap((child) => report(child, shared.testId, nesting + 1));
    const details = { duration_ms: 1, type: one.type ?? "test" };
    const data = { ...shared, details, skip: one.skip, todo: one.todo };
    const error = Object.assign(new Error("failed"), { cause: new Error("its cause") });
    const end: TestEvent = one.fails
      ? { type: "test:fail", data: { ...data, details: { ...details, error } } }
      : { type: "test:pass", data };
    return [start, ...children, end];
  }
  return cases.flatMap((one) => report(one, 0, 0));
}

it("suites do not count, but their tests do", () => {
  const cases: Case[] = [
    { name: "suite", type: "suite", children: [{ name: "one" }, { name: "two" }] },
    { name: "three" },
  ];
  assert.deepEqual(tally(FILE, eventsOf(cases)), { passed: 3, failed: [], skipped: [] });
});

it("a failed test counts once, under its full name, however deeply nested", () => {
  const inner: Case = {
    name: "inner",
    type: "suite",
    fails: true,
    children: [{ name: "bad", fails: true }, { name: "ok" }],
  };
  const outer: Case = { name: "outer", type: "suite", fails: true, children: [inner] };
  assert.deepEqual(tally(FILE, eventsOf([outer])), {
    passed: 1,
    failed: [{ name: "some/file.test.ts > outer > inner > bad", message: "failed" }],
    skipped: [],
  });
});

it("a test with subtests counts if it fails itself", () => {
  const cases: Case[] = [{ name: "parent", fails: true, children: [{ name: "child" }] }];
  assert.deepEqual(tally(FILE, eventsOf(cases)), {
    passed: 1,
    failed: [{ name: "some/file.test.ts > parent", message: "failed" }],
    skipped: [],
  });
});

it("skipped tests and suites are listed with their reasons, and so are todo tests, even if they fail", () => {
  const cases: Case[] = [
    { name: "one", skip: "no Redis" },
    { name: "two", skip: true },
    { name: "suite", type: "suite", skip: "not here" },
    { name: "three", todo: "later", fails: true },
  ];
  assert.deepEqual(tally(FILE, eventsOf(cases)), {
    passed: 0,
    failed: [],
    skipped: [
      { name: "some/file.test.ts > one", reason: "no Redis" },
      { name: "some/file.test.ts > two", reason: "no reason given" },
      { name: "some/file.test.ts > suite", reason: "not here" },
      { name: "some/file.test.ts > three", reason: "to do: later" },
    ],
  });
});

it("a file whose process fails counts as a failure under its own name", () => {
  const cases: Case[] = [{ name: "one" }, { name: FILE, fails: true }];
  assert.deepEqual(tally(FILE, eventsOf(cases)), {
    passed: 1,
    failed: [{ name: "some/file.test.ts", message: "failed" }],
    skipped: [],
  });
});

it("an empty suite does not count as a test", () => {
  assert.deepEqual(tally(FILE, eventsOf([{ name: "suite", type: "suite" }])), { passed: 0, failed: [], skipped: [] });
});

it("a failure is shown with the beginning of its message, without empty lines", () => {
  const message = `Expected values to be strictly equal:\n\n1 !== 2\n\n${"x".repeat(300)}\nfour\nfive`;
  assert.deepEqual(failureLines({ name: "file > test", message }), [
    "file > test",
    "  Expected values to be strictly equal:",
    "  1 !== 2",
    `  ${"x".repeat(200)}…`,
    "  four",
    "  …",
  ]);
});
