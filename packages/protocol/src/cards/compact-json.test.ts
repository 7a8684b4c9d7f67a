import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compactJson } from "./compact-json.ts";

/** Deeper than `JSON.stringify` can go. */
const DEPTH = 20_000;

function nest(value: unknown): unknown {
  let nested = value;
  for (let level = 0; level < DEPTH; level++) nested = [nested];
  return nested;
}

describe("compact JSON", () => {
  test("it is what JSON.stringify writes", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(compactJson(value), JSON.stringify(value))));
  });
  test("it is the same under nesting that JSON.stringify does not survive", () => {
    assert.throws(() => JSON.stringify(nest(0)), RangeError);
    const value = fc.oneof(fc.jsonValue(), fc.constant({ a: undefined, b: [undefined], c: {}, d: [[], {}] }));
    fc.assert(
      fc.property(value, (value) => {
        const expected = "[".repeat(DEPTH) + JSON.stringify(value) + "]".repeat(DEPTH);
        assert.ok(compactJson(nest(value)) === expected);
      }),
      { numRuns: 50 },
    );
  });
  test("keys such as __proto__ are written as they came", () => {
    const json = '{"__proto__":{"a":1},"constructor":{"prototype":2},"toString":3}';
    assert.equal(compactJson(JSON.parse(json)), json);
    assert.ok(compactJson(nest(JSON.parse(json))).includes(json));
  });
  test("what is no JSON value stays an error", () => {
    assert.throws(() => compactJson({ big: 1n }), TypeError);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    assert.throws(() => compactJson(cycle), TypeError);
  });
});
