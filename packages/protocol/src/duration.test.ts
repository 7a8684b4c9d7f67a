import assert from "node:assert/strict";
import { test } from "node:test";
import { durationInWords, withDurations } from "./duration.ts";

test("times are said in the unit that people would use", () => {
  const said = [0, 12, 999, 1_000, 3_420, 90_000, 900_000, 27_000_000, 1_794_055_506_344].map(durationInWords);
  assert.deepEqual(said, ["0 ms", "12 ms", "999 ms", "1 s", "3.4 s", "90 s", "15 min", "7.5 h", "20,765 days"]);
});

test("long times in a text are said so, and nothing else of it", () => {
  const reason = "the timestamp is 1794055506344 ms behind the server";
  assert.equal(withDurations(reason), "the timestamp is 20,765 days behind the server");
  assert.equal(withDurations("300 ms of 4000 msgs, 12345678"), "300 ms of 4000 msgs, 12345678");
});
