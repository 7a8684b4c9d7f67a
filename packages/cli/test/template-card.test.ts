import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { indented } from "../src/template-card.ts";

test("JSON is laid out as JSON.stringify does it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(indented(JSON.stringify(value)), `${JSON.stringify(value, null, 2)}\n`);
    }),
  );
});

test("numbers and escapes stay as they are written", () => {
  assert.equal(
    indented('{"n":12345678901234567890.10,"s":"\\u4f60{,}"}'),
    '{\n  "n": 12345678901234567890.10,\n  "s": "\\u4f60{,}"\n}\n',
  );
});
