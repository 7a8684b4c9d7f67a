import assert from "node:assert/strict";
import { test } from "node:test";
import { checkEachOnce, type Fact, lateReceiptsOf } from "./receipts.ts";
import type { Receipt } from "./receiver.ts";

const receipt = (eventId: string, messageId: number, atMs: number): Receipt => {
  return { eventId, atMs, body: Buffer.from(JSON.stringify({ eventId, message: { messageId } })) };
};
const facts: Fact[] = [
  { messageId: 7, atMs: 100 },
  { messageId: 8, atMs: 200 },
  { messageId: 9, atMs: 300 },
];
const [seven, eight, nine] = [receipt("evt_a", 7, 104), receipt("evt_b", 8, 199), receipt("evt_c", 9, 350)];

test("a receipt's delay counts from the answer of its message, whatever the order of receipts", () => {
  assert.deepEqual(lateReceiptsOf(facts, [nine, seven, eight]), [4, 0, 50]);
});

const faults: [fault: string, receipts: Receipt[], message: RegExp][] = [
  ["a lost event", [seven, eight], /^2 events were received, not 3$/],
  ["a duplicate", [seven, eight, eight, nine], /^event evt_b was received more than once$/],
  ["a duplicate in the place of another", [seven, eight, eight], /^event evt_b was received more than once$/],
  ["an event too many", [seven, eight, nine, receipt("evt_d", 9, 400)], /^4 events were received, not 3$/],
  ["two events of one fact", [seven, eight, receipt("evt_d", 8, 400)], /^two events tell of message 8$/],
  ["an event of something else", [seven, eight, receipt("evt_d", 10, 400)], /^no event told of message 9$/],
];
for (const [fault, receipts, message] of faults) {
  test(`${fault} is noticed`, () => {
    assert.throws(
      () => lateReceiptsOf(facts, receipts),
      ({ message: text }: Error) => message.test(text),
    );
  });
}

test("a backlog is received when each of its events is", () => {
  assert.doesNotThrow(() => checkEachOnce([seven, nine, eight], 3));
  assert.throws(() => checkEachOnce([seven, eight], 3), /2 events were received, not 3/);
  assert.throws(() => checkEachOnce([seven, eight, seven], 3), /evt_a was received more than once/);
});
