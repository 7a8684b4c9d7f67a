import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { beginningOf, excessOf } from "./text-length.ts";

test("characters are counted as the service counts them, by code points", () => {
  assert.equal(excessOf("😀".repeat(5), 5), 0);
  assert.equal(excessOf("😀".repeat(5), 4), 1);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, most) => {
      assert.equal(excessOf(text, most), Math.max(0, [...text].length - most));
    }),
  );
});

test("the beginning of a text ends with a whole character", () => {
  assert.equal(beginningOf("ab😀", 3), "ab");
  assert.equal(beginningOf("ab😀", 4), "ab😀");
  assert.equal(beginningOf("ab", 4), "ab");
});
