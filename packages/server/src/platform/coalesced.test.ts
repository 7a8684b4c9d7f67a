import assert from "node:assert/strict";
import { test } from "node:test";
import { coalesced } from "./coalesced.ts";

test("calls made during a run share the single run that follows it", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const call = coalesced(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const first = call();
  const [second, third] = [call(), call()];
  assert.equal(runs.length, 1);
  runs[0]?.resolve();
  await first;
  assert.equal(runs.length, 2);
  runs[1]?.resolve();
  await Promise.all([second, third]);
  assert.equal(runs.length, 2);
});

test("a run that fails rejects only its own callers", async () => {
  let runs = 0;
  const call = coalesced(async () => {
    if (++runs === 1) throw new Error("broken");
  });
  const [first, second] = [call(), call()];
  await assert.rejects(first, /broken/);
  await second;
  assert.equal(runs, 2);
});
