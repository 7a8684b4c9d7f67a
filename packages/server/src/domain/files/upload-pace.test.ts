import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TestClock } from "../../../test/support/test-clock.ts";
import { UploadPace } from "./upload-pace.ts";

const KIB = 1024;

function watched() {
  const clock = new TestClock();
  const pace = new UploadPace(clock);
  const reasons: unknown[] = [];
  let heldUp = false;
  const upload = pace.watch({ isHeldUp: () => heldUp, abort: (reason) => reasons.push(reason) });
  /** Advances the clock by `seconds`, with `kibs` KiB arriving in each. */
  const pass = (seconds: number, kibs = 0) => {
    for (let second = 0; second < seconds; second++) {
      upload.brought(kibs * KIB);
      clock.turn(1_000);
      pace.endSlow();
    }
  };
  const holdUp = (is: boolean) => {
    heldUp = is;
  };
  return { clock, pace, upload, pass, reasons, holdUp };
}

describe("the minimum rate of uploads", () => {
  test("an upload that sends nothing is ended after ten seconds and a second look", () => {
    const { pass, reasons } = watched();
    pass(10);
    assert.equal(reasons.length, 0);
    pass(1);
    assert.equal(reasons.length, 1);
    assert.match(String(reasons[0]), /上传过慢/);
  });
  test("an upload with 16 KiB/s continues for ever; a slower one is ended, however it began", () => {
    const steady = watched();
    steady.pass(100, 16);
    assert.equal(steady.reasons.length, 0);
    steady.pass(22, 14);
    assert.equal(steady.reasons.length, 1);
  });
  test("data that arrives late still counts", () => {
    const { pass, reasons } = watched();
    pass(10);
    pass(1, 160);
    pass(10);
    assert.equal(reasons.length, 0);
    pass(1);
    assert.equal(reasons.length, 1);
  });
  test("a delay in the service is not counted against the caller", () => {
    const { clock, pace, pass, reasons } = watched();
    clock.turn(60_000);
    pace.endSlow();
    pass(1, 160);
    assert.equal(reasons.length, 0);
  });
  test("data that the service has not yet processed is not counted against the caller", () => {
    const { pass, reasons, holdUp } = watched();
    holdUp(true);
    pass(60);
    assert.equal(reasons.length, 0);
    holdUp(false);
    pass(12);
    assert.equal(reasons.length, 1);
  });
  test("setting the clock ends no upload", () => {
    const { clock, pace, reasons } = watched();
    clock.jump(3_600_000);
    pace.endSlow();
    pace.endSlow();
    assert.equal(reasons.length, 0);
  });
  test("an upload that has ended is no longer watched", () => {
    const { upload, pass, reasons } = watched();
    upload.end();
    pass(60);
    assert.equal(reasons.length, 0);
  });
});
