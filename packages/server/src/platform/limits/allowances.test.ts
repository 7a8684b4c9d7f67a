import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Allowances } from "./allowances.ts";

const MINUTE = 60_000;

describe("an allowance", () => {
  test("can be used all at once and is restored evenly", () => {
    const messages = new Allowances(60, MINUTE);
    for (let n = 0; n < 60; n++) {
      assert.equal(messages.waitFor("a", 1, 0), 0);
      messages.take("a", 1, 0);
    }
    assert.equal(messages.used("a", 0), 60);
    assert.equal(messages.waitFor("a", 1, 0), 1_000);
    assert.equal(messages.waitFor("b", 60, 0), 0);
    assert.equal(messages.waitFor("a", 1, 1_000), 0);
    assert.equal(messages.waitFor("a", 60, MINUTE), 0);
  });
  test("never suffices for more than its amount", () => {
    const bytes = new Allowances(100, MINUTE);
    assert.ok(bytes.waitFor("a", 101, 0) > 0);
    assert.equal(bytes.waitFor("a", 100, 0), 0);
  });
  test("is full again when what was taken is given back", () => {
    const bytes = new Allowances(100, MINUTE);
    bytes.take("a", 80, 0);
    bytes.giveBack("a", 80, 0);
    assert.equal(bytes.waitFor("a", 100, 0), 0);
  });
  test("is full after one period even when it was overdrawn", () => {
    const bytes = new Allowances(100, MINUTE);
    bytes.take("a", 1_000, 0);
    assert.equal(bytes.waitFor("a", 1, 0), 600);
    assert.equal(bytes.waitFor("a", 100, MINUTE), 0);
  });
  test("of too many keys is shared by the newest ones, until others are full", () => {
    const bytes = new Allowances(100, MINUTE, 3);
    for (const key of ["a", "b", "c"]) bytes.take(key, 50, 0);
    bytes.take("d", 100, 0);
    assert.ok(bytes.waitFor("e", 1, 0) > 0, "no new name gets a new allowance");
    assert.equal(bytes.waitFor("a", 50, 0), 0);
    assert.equal(bytes.waitFor("e", 100, MINUTE), 0);
    bytes.take("e", 100, MINUTE);
    assert.ok(bytes.waitFor("e", 1, MINUTE) > 0);
    assert.equal(bytes.waitFor("f", 100, MINUTE), 0);
  });
});
