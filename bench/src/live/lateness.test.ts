import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnsweredChange, latenessOf } from "./lateness.ts";

const answered: AnsweredChange[] = [
  { type: "message.created", messageId: 7, msgSeq: 4, atMs: 100 },
  { type: "card.updated", messageId: 7, msgSeq: 5, atMs: 200 },
  { type: "message.recalled", messageId: 7, msgSeq: null, atMs: 300 },
];
const frame = (type: string, msgSeq: number, atMs: number, messageId = 7) => {
  return { atMs, text: JSON.stringify({ type, msgSeq, message: { messageId } }) };
};
const created = frame("message.created", 4, 103);
const updated = frame("card.updated", 5, 199);
const recalled = frame("message.recalled", 6, 350);

test("a delay counts from the answer; a change that arrives before the answer has none", () => {
  assert.deepEqual(latenessOf(answered, [created, updated, recalled], 3), [3, 0, 50]);
});

const faults: [fault: string, arrivals: (typeof created)[], message: RegExp][] = [
  ["a change that does not come", [created, updated], /^1 changes did not come, for example message.recalled of .* 7$/],
  ["a gap", [created, recalled], /msgSeq 6 .* came in the place of 5/],
  ["a frame that comes twice", [created, created, updated, recalled], /msgSeq 4 .* came in the place of 5/],
  ["frames in another order", [updated, created, recalled], /msgSeq 5 .* came in the place of 4/],
  ["a frame of another message", [created, updated, frame("message.recalled", 6, 350, 8)], /no call .* message 8/],
  ["a place other than the answer's", [frame("card.updated", 4, 103)], /answered with msgSeq 5 and came with 4/],
];
for (const [fault, arrivals, message] of faults) {
  test(`${fault} is noticed`, () => {
    assert.throws(
      () => latenessOf(answered, arrivals, 3),
      ({ message: text }: Error) => message.test(text),
    );
  });
}
