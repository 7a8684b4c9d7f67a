import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { ApiRefusedError } from "@portico/protocol/client/errors";
import { askedToWaitMs, isForGood, Retry } from "./retry.ts";

const refusal = (httpStatus: number, retryAfterSeconds?: number) =>
  new ApiRefusedError({ code: "400008", message: "no", reqNo: "", httpStatus, retryAfterSeconds });

/** The delays that a retry waits for, of as many tries; each fails. */
function delaysOf(tries: number, random: () => number): number[] {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const delays: number[] = [];
    let waited = 0;
    const retry = new Retry(
      { firstMs: 1_000, longestMs: 10_000 },
      () => {
        delays.push(waited);
        waited = 0;
        if (delays.length < tries) retry.later();
      },
      random,
    );
    retry.later();
    for (; delays.length < tries; waited += 100) mock.timers.tick(100);
    return delays;
  } finally {
    mock.timers.reset();
  }
}

describe("trying again", () => {
  it("takes twice as long each time, up to the longest", () => {
    const delays = delaysOf(6, () => 1);
    assert.deepEqual(
      delays.map((delay) => Math.round(delay / 1_000)),
      [1, 2, 4, 8, 10, 10],
    );
  });

  it("comes up to half as early by chance", () => {
    const [first = 0] = delaysOf(1, () => 0);
    assert.ok(first >= 400 && first <= 500, `${first} ms`);
  });

  it("waits as long as the service asks for, and begins anew after it has succeeded", () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      let runs = 0;
      const retry = new Retry(
        { firstMs: 1_000, longestMs: 10_000 },
        () => runs++,
        () => 1,
      );
      retry.later(askedToWaitMs(refusal(429, 60)));
      mock.timers.tick(59_000);
      assert.deepEqual([runs, retry.isPending], [0, true]);
      mock.timers.tick(1_000);
      assert.deepEqual([runs, retry.isPending], [1, false]);
      retry.succeeded();
      retry.later();
      mock.timers.tick(1_000);
      assert.equal(runs, 2);
      retry.later();
      retry.cancel();
      mock.timers.tick(60_000);
      assert.equal(runs, 2, "nothing comes after it was given up");
    } finally {
      mock.timers.reset();
    }
  });

  it("cannot help against a refusal, other than one of the moment", () => {
    assert.deepEqual(
      [400, 401, 403, 404, 429, 500, 503].map((status) => isForGood(refusal(status))),
      [true, true, true, true, false, false, false],
    );
    assert.equal(isForGood(new TypeError("no network")), false);
  });
});
