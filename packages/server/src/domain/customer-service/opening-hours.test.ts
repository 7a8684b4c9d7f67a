import assert from "node:assert/strict";
import { test } from "node:test";
import { isOpenAt, isTimeZone } from "./opening-hours.ts";

/** A Monday. */
const at = (time: string) => Date.parse(`2026-11-23T${time}:00Z`);
const monday = (from: string, to: string, timeZone = "UTC") => ({ timeZone, days: [{ day: 1, from, to }] });

test("an application without opening hours is always open, one without any span never", () => {
  assert.equal(isOpenAt(null, at("03:00")), true);
  assert.equal(isOpenAt({ timeZone: "UTC", days: [] }, at("12:00")), false);
});

test("a span holds from its first minute up to, and without, its last one", () => {
  const hours = monday("09:00", "18:00");
  const open = ["08:59", "09:00", "17:59", "18:00"].map((time) => isOpenAt(hours, at(time)));
  assert.deepEqual(open, [false, true, true, false]);
  assert.equal(isOpenAt(monday("00:00", "24:00"), at("23:59")), true);
  assert.equal(isOpenAt(hours, at("12:00") + 86_400_000), false, "Tuesday");
});

test("the clock of the time zone counts, across midnight and with summer time", () => {
  assert.equal(isOpenAt(monday("02:00", "03:00", "Asia/Shanghai"), at("18:30") - 86_400_000), true, "Monday there");
  assert.equal(isOpenAt(monday("13:00", "14:00", "Europe/Berlin"), at("12:30")), true, "winter");
  const inJuly = Date.parse("2026-07-06T11:30:00Z");
  assert.equal(isOpenAt(monday("13:00", "14:00", "Europe/Berlin"), inJuly), true, "summer");
  assert.equal(isOpenAt(monday("00:00", "00:30", "Asia/Tokyo"), Date.parse("2026-11-22T15:10:00Z")), true, "hour 0");
});

test("names of time zones are those that the runtime knows", () => {
  assert.deepEqual(["Asia/Shanghai", "UTC", "Mars/Olympus", ""].map(isTimeZone), [true, true, false, false]);
});

test("a time zone that the runtime does not know leaves the application open", () => {
  assert.equal(isOpenAt(monday("09:00", "18:00", "Mars/Olympus"), at("03:00")), true);
});

test("the format of a time zone is made once", (context) => {
  const make = context.mock.method(Intl, "DateTimeFormat");
  const hours = monday("09:00", "18:00", "America/Lima");
  for (let minute = 10; minute < 60; minute++) isOpenAt(hours, at(`15:${minute}`));
  assert.ok(make.mock.callCount() <= 2, String(make.mock.callCount()));
});
