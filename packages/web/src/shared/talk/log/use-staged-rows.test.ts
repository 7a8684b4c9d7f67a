import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KeyedRow, stage } from "./use-staged-rows.ts";

/** Rows by their keys: messages, but for "day…". */
function rowsOf(...keys: string[]): KeyedRow[] {
  return keys.map((key) => ({ kind: key.startsWith("day") ? "day" : "message", key }));
}

const keys = (rows: readonly KeyedRow[]) => rows.map(({ key }) => key);

describe("the steps in which rows are drawn", () => {
  it("what is new at the end comes in one step", () => {
    const rows = rowsOf("day1", "m1", "m2", "m3");
    assert.deepEqual(stage(rowsOf("day1", "m1", "m2"), rows), { rows, isShift: false });
  });

  it("what is new at the beginning comes in one step, also where the line of the day moves", () => {
    const rows = rowsOf("day1", "m1", "m2", "m3");
    assert.deepEqual(stage(rowsOf("day3", "m3"), rows), { rows, isShift: true });
  });

  it("what is new at both ends comes in two, the beginning first", () => {
    const rows = rowsOf("day1", "m1", "m2", "m3", "m4");
    const first = stage(rowsOf("day2", "m2", "m3"), rows);
    assert.deepEqual([keys(first.rows), first.isShift], [["day1", "m1", "m2", "m3"], true]);
    assert.deepEqual(stage(first.rows, rows), { rows, isShift: false });
  });

  it("what is let go at the beginning while something new comes takes two steps too", () => {
    const rows = rowsOf("day3", "m3", "m4");
    const first = stage(rowsOf("day1", "m1", "m2", "m3"), rows);
    assert.deepEqual([keys(first.rows), first.isShift], [["day3", "m3"], true]);
    assert.deepEqual(stage(first.rows, rows), { rows, isShift: false });
  });

  it("other rows altogether are no shift", () => {
    const rows = rowsOf("day9", "m9");
    assert.deepEqual(stage(rowsOf("day1", "m1"), rows), { rows, isShift: false });
  });
});
