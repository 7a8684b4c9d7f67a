import assert from "node:assert/strict";
import { test } from "node:test";
import { newEventId } from "./event-id.ts";

test("ids of events are in the order of their times, and differ at the same time", () => {
  const times = [0, 1, 35, 36, 999_999_999_999, 1_795_356_010_669, 1_795_356_010_670, 4_102_444_800_000];
  const ids = times.map(newEventId);
  assert.deepEqual(ids.toSorted(), ids);
  for (const id of ids) assert.match(id, /^evt_[0-9a-z]{9}[\w-]{18}$/);
  assert.equal(new Set(Array.from({ length: 1_000 }, () => newEventId(7))).size, 1_000);
});
