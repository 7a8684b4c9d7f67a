import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arrayLiteral } from "./array-literal.ts";

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
