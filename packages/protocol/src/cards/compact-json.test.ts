import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { RawJson } from "../raw-json.ts";
import { compactJson, compactText } from "./compact-json.ts";

/** Too deep for `JSON.stringify`. */
const DEPTH = 20_000;

function nest(value: unknown): unknown {
  let nested = value;
  for (let level = 0; level < DEPTH; level++) nested = [nested];
  return nested;
}

describe("compact JSON", () => {
  test("it equals the output of JSON.stringify", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(compactJson(value), JSON.stringify(value))));
  });
  test("it is also correct for nesting that overflows the stack of JSON.stringify", () => {
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
  test("keys such as __proto__ are preserved", () => {
    const json = '{"__proto__":{"a":1},"constructor":{"prototype":2},"toString":3}';
    assert.equal(compactJson(JSON.parse(json)), json);
    assert.ok(compactJson(nest(JSON.parse(json))).includes(json));
  });
  test("raw JSON in it is written as it stands, and nothing else can write it", () => {
    const card = new RawJson('{ "2":1.50,"1":-0 }');
    assert.equal(
      compactJson({ a: undefined, content: { card, b: [card] } }),
      `{"content":{"card":${card.text},"b":[${card.text}]}}`,
    );
    assert.throws(() => JSON.stringify({ card }), /compactJson/);
  });
  test("a value that is not JSON is still an error", () => {
    assert.throws(() => compactJson({ big: 1n }), TypeError);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    assert.throws(() => compactJson(cycle), TypeError);
  });
});

describe("the compact form of a JSON text", () => {
  test("is what JSON.stringify writes of any value that it has written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, space) => {
        assert.equal(compactText(JSON.stringify(value, null, space)), JSON.stringify(value));
      }),
    );
  });
  test("keeps numbers as they are spelled, the order of members, and repeated ones", () => {
    const json = '{ "2": [1.50, -0, 1e400],\r\n"1":\t9223372036854775808 , "1" : true,"\\u0061\\/" : "\\u00e9 \\" }" }';
    assert.equal(compactText(json), '{"2":[1.50,-0,1e400],"1":9223372036854775808,"1":true,"a/":"\u00e9 \\" }"}');
  });
});
