import assert from "node:assert/strict";
import { test } from "node:test";
import { isWrongSpan, nextSpan, officeHours } from "./opening-hours.ts";

test("the hours to begin with are those of an office, in the browser's time zone", () => {
  const { timeZone, days } = officeHours();
  assert.equal(timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone);
  assert.deepEqual(
    days.map(({ day }) => day),
    [1, 2, 3, 4, 5],
  );
  assert.ok(!days.some(isWrongSpan));
});

test("the next line is the next day, at the hours of the last one", () => {
  const saturday = { day: 6, from: "10:00", to: "14:00" };
  assert.deepEqual(nextSpan({ timeZone: "UTC", days: [saturday] }), { ...saturday, day: 7 });
  assert.deepEqual(nextSpan({ timeZone: "UTC", days: [{ ...saturday, day: 7 }] }), { ...saturday, day: 1 });
  assert.deepEqual(nextSpan({ timeZone: "UTC", days: [] }), { day: 1, from: "09:00", to: "18:00" });
});

test("a line that is not complete, or ends when it begins, is wrong", () => {
  const wrong = (from: string, to: string) => isWrongSpan({ day: 1, from, to });
  assert.deepEqual(
    [wrong("09:00", "18:00"), wrong("09:00", "09:00"), wrong("", "18:00"), wrong("09:00", "")],
    [false, true, true, true],
  );
});
