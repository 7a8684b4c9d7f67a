import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findInexactNumber } from "./inexact-number.ts";

describe("numbers in JSON that a double cannot represent", () => {
  for (const source of ["9007199254740993", "-12345678901234567890", "0.1234567890123456789", "1e400", "1e-400"]) {
    test(`${source} is found`, () => {
      const found = findInexactNumber(`{"a": 1,\n  "b": [${source}, 9007199254740995]}`);
      assert.deepEqual(found, { source, line: 2, column: 9 });
    });
  }
  for (const source of [
    ...["0", "-0", "0.0", "0e9", "1", "-1.50", "1E2", "1e+2", "100e-2", "0.1", "1e21", "1e-7", "123e300"],
    ...["9007199254740991", "9007199254740992", "12345678901234567000e1", "0.30000000000000004", "5e-324"],
  ]) {
    test(`${source} is not found, in any notation`, () => {
      assert.equal(findInexactNumber(`[${source}]`), null);
    });
  }
  test("digits in a string are ignored", () => {
    assert.equal(findInexactNumber(String.raw`{"9007199254740993": "\" 9007199254740993 \\"}`), null);
  });
  test("a string of a megabyte is skipped", () => {
    assert.equal(findInexactNumber(JSON.stringify(['\\x"'.repeat(300_000), 1])), null);
  });
});
