import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { JsonItems } from "./json-items.ts";
import { JsonText, writeJson } from "./json-text.ts";

/** Plain values, some as JSON that is already written; texts short and long. */
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "grapheme", minLength: 4_000, maxLength: 5_000 }),
);
const value = fc.oneof(
  fc.jsonValue(),
  text,
  text.map((said) => new JsonText(JSON.stringify({ said }))),
  fc.record({ id: fc.integer(), content: text.map((said) => new JsonText(JSON.stringify(said))), name: text }),
);

describe("items of a list as JSON", () => {
  test("are the items as they are written one by one", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (values) => {
        const items = JsonItems.of(values);
        assert.equal(items.isEmpty, values.length === 0);
        assert.equal(items.take().toString(), values.map(writeJson).join(","));
      }),
      { numRuns: 50 },
    );
  });
  test("are handed over once, and not kept", () => {
    const items = JsonItems.of(["a text"]);
    assert.equal(items.take().toString(), '"a text"');
    assert.ok(items.isEmpty);
    assert.equal(items.take().length, 0);
  });
});
