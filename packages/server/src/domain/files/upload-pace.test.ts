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
  const upload = pace.watch({ isHeldUp: () => heldUp, cut: (reason) => reasons.push(reason) });
  /** Lets so many seconds pass, with so many KiB in each. */
  const pass = (seconds: number, kibs = 0) => {
    for (let second = 0; second < seconds; second++) {
      upload.brought(kibs * KIB);
      clock.turn(1_000);
      pace.look();
    }
  };
  const holdUp = (is: boolean) => {
    heldUp = is;
  };
  return { clock, pace, upload, pass, reasons, holdUp };
}

describe("the pace of uploads", () => {
  test("one that brings nothing is cut once ten seconds are over and it has been looked at again", () => {
    const { pass, reasons } = watched();
    pass(10);
    assert.equal(reasons.length, 0);
    pass(1);
    assert.equal(reasons.length, 1);
    assert.match(String(reasons[0]), /上传过慢/);
  });
  test("16 KiB a second go on for ever; less does not, however it begins", () => {
    const steady = watched();
    steady.pass(100, 16);
    assert.equal(steady.reasons.length, 0);
    steady.pass(22, 14);
    assert.equal(steady.reasons.length, 1);
  });
  test("what comes late, but comes, counts", () => {
    const { pass, reasons } = watched();
    pass(10);
    pass(1, 160);
    pass(10);
    assert.equal(reasons.length, 0);
    pass(1);
    assert.equal(reasons.length, 1);
  });
  test("a service that was busy for long does not blame its callers for it", () => {
    const { clock, pace, pass, reasons } = watched();
    clock.turn(60_000);
    pace.look();
    pass(1, 160);
    assert.equal(reasons.length, 0);
  });
  test("what the service has not got round to is not held against the caller", () => {
    const { pass, reasons, holdUp } = watched();
    holdUp(true);
    pass(60);
    assert.equal(reasons.length, 0);
    holdUp(false);
    pass(12);
    assert.equal(reasons.length, 1);
  });
  test("a clock that is set cuts nothing", () => {
    const { clock, pace, reasons } = watched();
    clock.jump(3_600_000);
    pace.look();
    pace.look();
    assert.equal(reasons.length, 0);
  });
  test("one that is over is not looked after", () => {
    const { upload, pass, reasons } = watched();
    upload.end();
    pass(60);
    assert.equal(reasons.length, 0);
  });
});
