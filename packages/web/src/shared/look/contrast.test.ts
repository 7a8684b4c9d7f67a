import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { contrast, textOn } from "./contrast.ts";

test("contrast is that of WCAG", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.equal(contrast("#767676", "#ffffff").toFixed(2), "4.54");
});

test("text can be read on a ground of any colour", () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(fc.property(color, (ground) => contrast(ground, textOn(ground)) >= 4.3));
  assert.deepEqual([textOn("#2456e6"), textOn("#ffd400"), textOn("#000000")], ["#ffffff", "#101318", "#ffffff"]);
});
