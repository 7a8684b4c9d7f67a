import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Settlement } from "../settle-claims.ts";
import { Settlements } from "./settlements.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Settlements of applications with `perApp` attempts at a time, and the outcomes that were recorded together. */
function opened(t: TestContext, perApp: number, isAway: (deliveryIds: number[]) => boolean = () => false) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const batches: number[][] = [];
  const record = async (_appId: string, some: readonly Settlement[]) => {
    const ids = some.map(({ delivery }) => delivery.deliveryId);
    batches.push(ids);
    await turn();
    if (isAway(ids)) throw new Error("the database is away");
  };
  const settlements = new Settlements(record, perApp);
  const settle = (deliveryId: number, appId = "app_1") =>
    settlements.settle(appId, {
      delivery: { deliveryId, claim: 1, eventType: "im.message.receive_v1", dueAt: 0 },
      outcome: { postponedTo: 0 },
    });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turns = 0; turns < 5; turns++) await turn();
  };
  return { batches, settle, pass };
}

describe("outcomes of an application", () => {
  test("the first is recorded at once, and those that follow shortly are recorded together", async (t) => {
    const { batches, settle, pass } = opened(t, 10);
    const first = settle(1);
    assert.deepEqual(batches, [[1]]);
    await first;
    const later = [settle(2), settle(3)];
    await pass(19);
    later.push(settle(4));
    assert.deepEqual(batches, [[1]]);
    await pass(1);
    assert.deepEqual(batches, [[1], [2, 3, 4]]);
    await Promise.all(later);
  });

  test("one that comes alone after a while does not wait", async (t) => {
    const { batches, settle, pass } = opened(t, 10);
    await settle(1);
    await pass(20);
    const second = settle(2);
    assert.deepEqual(batches, [[1], [2]]);
    await second;
  });

  test("so many as may be attempted at a time wait for no others", async (t) => {
    const { batches, settle, pass } = opened(t, 3);
    const all = [settle(1)];
    await pass(0);
    for (const id of [2, 3]) all.push(settle(id));
    await pass(0);
    assert.deepEqual(batches, [[1]]);
    all.push(settle(4));
    await pass(0);
    assert.deepEqual(batches, [[1], [2, 3, 4]]);
    await Promise.all(all);
  });

  test("where one is attempted at a time, none waits", async (t) => {
    const { batches, settle } = opened(t, 1);
    for (const id of [1, 2, 3]) await settle(id);
    assert.deepEqual(batches, [[1], [2], [3]]);
  });

  test("applications do not wait for each other", async (t) => {
    const { batches, settle } = opened(t, 10);
    await Promise.all([settle(1), settle(2, "app_2")]);
    assert.deepEqual(batches, [[1], [2]]);
  });

  test("when a batch fails, each is recorded by itself, and fails alone", async (t) => {
    const { batches, settle, pass } = opened(t, 10, (ids) => ids.includes(3));
    await settle(1);
    const outcomes = Promise.allSettled([settle(2), settle(3), settle(4)]);
    await pass(20);
    await pass(0);
    assert.deepEqual(
      (await outcomes).map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(batches, [[1], [2, 3, 4], [2], [3], [4]]);
  });

  test("when nothing can be recorded, the rest is given up after a few", async (t) => {
    const { batches, settle, pass } = opened(t, 10, (ids) => !ids.includes(0));
    await settle(0);
    const outcomes = Promise.allSettled([1, 2, 3, 4, 5].map((id) => settle(id)));
    await pass(20);
    await pass(0);
    assert.ok((await outcomes).every(({ status }) => status === "rejected"));
    assert.equal(batches.length, 2 + 3);
  });
});
