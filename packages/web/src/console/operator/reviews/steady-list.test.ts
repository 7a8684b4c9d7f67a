import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Steady, steadyList } from "./steady-list.ts";

interface Row {
  id: string;
  text: string;
}

const row = (id: string, text = "") => ({ id, text });
const read = (before: readonly Steady<Row>[], ...now: Row[]) => steadyList(before, now, ({ id }) => id);
const told = (rows: readonly Steady<Row>[]) =>
  rows.map(({ item, isGone }) => `${item.id}${item.text}${isGone ? "-" : ""}`);

describe("a list in which nothing moves", () => {
  const first = read([], row("a"), row("b"), row("c"));

  it("keeps what is gone in its place, and puts what is new at the end, wherever the service has it", () => {
    assert.deepEqual(told(read(first, row("new"), row("c"), row("a"))), ["a", "b-", "c", "new"]);
  });

  it("shows what stays as it is now", () => {
    assert.deepEqual(told(read(first, row("a", "!"), row("b"), row("c"))), ["a!", "b", "c"]);
  });

  it("has what comes back where it was", () => {
    assert.deepEqual(told(read(read(first, row("a"), row("c")), row("a"), row("b"), row("c"))), ["a", "b", "c"]);
  });
});
