import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { ApiError } from "@portico/protocol";
import { RequestAborted } from "../http/raw-body.ts";
import type { Owner } from "./owner.ts";
import { OwnerRates } from "./owner-rates.ts";

const MIB = 1024 * 1024;
const visitor: Owner = { type: "VISITOR", id: "v_1", within: "app_shop" };
const other: Owner = { type: "VISITOR", id: "v_2", within: "app_shop" };
const app: Owner = { type: "APP", id: "app_bot" };

function rates() {
  let now = 5_000;
  const limits = { visitorBytesPerSecond: 4 * MIB, memberBytesPerSecond: 8 * MIB, appBytesPerSecond: 64 * MIB };
  const turned = new OwnerRates(limits, () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { rates: turned, pass };
}

describe("the rate at which an owner sends bytes", () => {
  test("a quarter of a second's bytes are free; then the delay is as long as the bytes take", () => {
    const { rates: visitors } = rates();
    assert.equal(visitors.brought(visitor, MIB), 0);
    assert.equal(visitors.brought(visitor, MIB), 250);
    assert.equal(visitors.brought(visitor, 2 * MIB), 750);
  });
  test("concurrent uploads share it in order of arrival; other owners are not affected", () => {
    const { rates: all } = rates();
    const waits = [1, 2, 3, 4].map(() => all.brought(visitor, MIB));
    assert.deepEqual(waits, [0, 250, 500, 750]);
    assert.equal(all.brought(other, MIB), 0);
    assert.equal(all.brought(app, 16 * MIB), 0);
  });
  test("a sender within the rate is never delayed", () => {
    const { rates: all, pass } = rates();
    for (let n = 0; n < 1_000; n++) {
      assert.equal(all.brought(visitor, 64 * 1024), 0);
      pass(16);
    }
  });
  test("no delay is longer than ten seconds, whatever was sent", () => {
    const { rates: all, pass } = rates();
    assert.equal(all.brought(visitor, 4_000 * MIB), 9_750);
    pass(9_750);
    assert.equal(all.brought(visitor, 0), 0);
  });
  test("messages count, and one that would wait for too long is refused and not counted", async () => {
    const { rates: all } = rates();
    await all.enter(visitor, 200 * 1024, new PassThrough());
    all.brought(visitor, 21 * MIB + 4_096 - 200 * 1024);
    await assert.rejects(all.enter(visitor, 2_048, new PassThrough()), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, "429001");
      assert.equal(error.retryAfterSeconds, 6);
      return true;
    });
    assert.equal(all.brought(visitor, 0), 5_001);
    await all.enter(other, 2_048, new PassThrough());
  });
  test("a message that waits is given up when its sender disconnects", { timeout: 4_000 }, async () => {
    const { rates: all } = rates();
    all.brought(visitor, 20 * MIB);
    const request = new PassThrough();
    const entering = all.enter(visitor, 2_048, request);
    request.destroy();
    await assert.rejects(entering, RequestAborted);
    await assert.rejects(all.enter(visitor, 2_048, request), RequestAborted);
  });
});
