import assert from "node:assert/strict";
import { test } from "node:test";
import { CARD_CASES, LARGEST_CARD, timeCardRules } from "./card-rules.ts";

test("every card is timed, and its verdict is the expected one", async () => {
  const timings = await timeCardRules({ progress() {} }, 20);
  assert.deepEqual(
    timings.map(({ name }) => name),
    CARD_CASES.map(({ name }) => name),
  );
  for (const { name, check, parse } of timings) {
    for (const { p50Ms, p99Ms } of [check, parse]) assert.ok(p50Ms > 0 && p50Ms <= p99Ms, name);
  }
});

test("the promised time is for a card of the maximum size", () => {
  const [largest] = CARD_CASES.filter(({ name }) => name === LARGEST_CARD);
  assert.equal(Buffer.byteLength(largest?.json ?? ""), 65_536);
});
