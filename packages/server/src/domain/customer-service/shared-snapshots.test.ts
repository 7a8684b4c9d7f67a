import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedSnapshots } from "./shared-snapshots.ts";

test("a call that joins a group sees what the first one read; the next group reads again", async () => {
  const snapshots = new SharedSnapshots<number>(0);
  let version = 1;
  const read = async () => version;
  assert.equal(await snapshots.enter("a", read), 1);
  version = 2;
  assert.equal(await snapshots.enter("a", read), 1);
  assert.equal(await snapshots.enter("b", read), 2);
  snapshots.leave("a");
  assert.equal(await snapshots.enter("a", read), 1);
  snapshots.leave("a");
  snapshots.leave("a");
  assert.equal(await snapshots.enter("a", read), 2);
});

test("a group whose first read failed ends when all calls have left", async () => {
  const snapshots = new SharedSnapshots<number>(0);
  const failing = async () => Promise.reject(new Error("no answer"));
  const results = await Promise.allSettled([snapshots.enter("a", failing), snapshots.enter("a", async () => 1)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(await snapshots.enter("a", async () => 2), 2);
});
