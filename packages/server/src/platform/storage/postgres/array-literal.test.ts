import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arrayLiteral, binaryTexts, hasEscapes } from "./array-literal.ts";

describe("the text form of an array parameter", () => {
  test("texts are quoted, numbers are not, and null is not the text NULL", () => {
    assert.equal(
      arrayLiteral(["a", null, "NULL", "", 'say "no"', "back\\slash"]),
      String.raw`{"a",NULL,"NULL","","say \"no\"","back\\slash"}`,
    );
    assert.equal(arrayLiteral([1, -2, 0.5, null]), "{1,-2,0.5,NULL}");
    assert.equal(arrayLiteral([]), "{}");
  });

  test("arrays of anything else are left to the driver", () => {
    for (const item of [undefined, true, new Date(0), Buffer.alloc(1), ["nested"], { a: 1 }, 1n]) {
      assert.equal(arrayLiteral(["a", item]), null);
    }
  });
});

describe("the binary form of texts", () => {
  test("is for texts of which some must be escaped", () => {
    assert.ok(hasEscapes(["a", null, '"']));
    assert.ok(hasEscapes(["\\"]));
    for (const items of [[], ["a", null], ['"', 1], [null], [["\\"]]]) assert.ok(!hasEscapes(items));
  });

  test("has a head, and the length of each text in bytes", () => {
    const head = (nulls: number, length: number) =>
      [1, nulls, 25, length, 1].map((n) => n.toString(16).padStart(8, "0"));
    assert.equal(binaryTexts(['"é']).toString("hex"), [...head(0, 1), "00000003", "22c3a9"].join(""));
    assert.equal(
      binaryTexts([null, "", "a"]).toString("hex"),
      [...head(1, 3), "ffffffff", "00000000", "00000001", "61"].join(""),
    );
  });
});
