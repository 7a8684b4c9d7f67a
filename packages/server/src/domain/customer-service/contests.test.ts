import assert from "node:assert/strict";
import { test } from "node:test";
import { Contests } from "./contests.ts";

test("a call that joins a contest sees what the first one read; the next contest reads again", async () => {
  const contests = new Contests<number>(0);
  let version = 1;
  const look = async () => version;
  assert.equal(await contests.enter("a", look), 1);
  version = 2;
  assert.equal(await contests.enter("a", look), 1);
  assert.equal(await contests.enter("b", look), 2);
  contests.leave("a");
  assert.equal(await contests.enter("a", look), 1);
  contests.leave("a");
  contests.leave("a");
  assert.equal(await contests.enter("a", look), 2);
});

test("a contest whose first read failed ends when all calls have left", async () => {
  const contests = new Contests<number>(0);
  const failing = async () => Promise.reject(new Error("no answer"));
  const results = await Promise.allSettled([contests.enter("a", failing), contests.enter("a", async () => 1)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(await contests.enter("a", async () => 2), 2);
});
