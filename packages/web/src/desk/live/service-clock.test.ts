import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ServiceClock } from "./service-clock.ts";

const HOUR = 3_600_000;
const said = (at: number) => new Date(at).toUTCString();

describe("the service's clock", () => {
  it("is the page's own, as long as answers tell about the same time", (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: 10 * HOUR + 700 });
    const clock = new ServiceClock();
    clock.take(said(10 * HOUR), 10 * HOUR + 100, 10 * HOUR + 700);
    assert.equal(clock.now(), 10 * HOUR + 700);
  });

  it("is told by answers where the page's is off, also when that is mended", (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: 9 * HOUR });
    const clock = new ServiceClock();
    clock.take(said(10 * HOUR), 9 * HOUR, 9 * HOUR);
    assert.equal(clock.now(), 10 * HOUR + 500);
    t.mock.timers.setTime(10 * HOUR);
    clock.take(said(10 * HOUR), 10 * HOUR, 10 * HOUR);
    assert.equal(clock.now(), 10 * HOUR);
  });

  it("believes no answer that took long, was asked before the clock was set back, or tells no time", (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: 9 * HOUR });
    const clock = new ServiceClock();
    clock.take(said(10 * HOUR), 8 * HOUR, 9 * HOUR);
    clock.take(said(10 * HOUR), 9 * HOUR, 8 * HOUR);
    clock.take(null, 9 * HOUR, 9 * HOUR);
    clock.take("soon", 9 * HOUR, 9 * HOUR);
    assert.equal(clock.now(), 9 * HOUR);
  });
});
