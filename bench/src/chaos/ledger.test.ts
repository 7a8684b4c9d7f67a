import assert from "node:assert/strict";
import { test } from "node:test";
import { Ledger } from "./ledger.ts";

test("the same acknowledgement twice is no contradiction", () => {
  const ledger = new Ledger();
  ledger.acknowledge("group:g", { messageId: 1, seq: 1 }, { text: "a" });
  ledger.acknowledge("group:g", { messageId: 1, seq: 1 }, { text: "a" });
  ledger.takePlace("group:g", 2, 1);
  assert.deepEqual(ledger.violations, []);
  assert.equal(ledger.acknowledged, 1);
});

test("one place for two messages, and two places for one message, are found at once", () => {
  const ledger = new Ledger();
  ledger.acknowledge("group:g", { messageId: 1, seq: 1 }, { text: "a" });
  ledger.acknowledge("group:g", { messageId: 2, seq: 1 }, { text: "b" });
  ledger.acknowledge("group:g", { messageId: 1, seq: 3 }, { text: "a" });
  assert.deepEqual(ledger.violations, [
    "group:g: place 1 was given to the messages 1 and 2",
    "group:g: message 1 was acknowledged at 1 and at 3",
  ]);
});

test("only so many violations are kept, and all are counted", () => {
  const ledger = new Ledger();
  for (let count = 0; count < 1_000; count++) ledger.violate("again");
  assert.equal(ledger.violations.length, 50);
  assert.equal(ledger.violationCount, 1_000);
});
