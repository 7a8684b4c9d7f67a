import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findJsonFault } from "../src/json-fault.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const arbitraryText = fc.oneof(
  fc.json(),
  fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n\t0123.-+eEtrufalsn\u0001') }),
  // JSON with one character changed or removed.
  fc.tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", '"', "}", "]", "x", "0", "\n")).map(([json, place, other]) => {
    const at = place % json.length;
    return json.slice(0, at) + other + json.slice(at + 1);
  }),
);

test("a fault is found exactly in the texts that JSON.parse refuses", () => {
  fc.assert(
    fc.property(arbitraryText, (text) => assert.equal(findJsonFault(text) === null, isJson(text), text)),
    { numRuns: 5_000 },
  );
});

test("the text before a fault is a valid beginning of JSON", () => {
  for (const [text, line, column, message] of [
    ["", 1, 1, "the text ends too early"],
    ['{"a": 1,\n  "b": [1, 2', 2, 13, "the text ends too early"],
    ['{"a": 1,\n  }', 2, 3, '"}" is unexpected'],
    ["{'a': 1}", 1, 2, '"\'" is unexpected'],
    ["[1,, 2]", 1, 4, '"," is unexpected'],
    ["{} {}", 1, 4, '"{" is unexpected'],
    ["[01]", 1, 2, '"0" is unexpected'],
    ["[truely]", 1, 2, '"t" is unexpected'],
    ["// card\n{}", 1, 1, '"/" is unexpected'],
    ['{"a": "two\nlines"}', 1, 11, '"\\n" is unexpected'],
    ['["\\x"]', 1, 3, '"\\\\" is unexpected'],
    ['{"a" 1}', 1, 6, '"1" is unexpected'],
    ["{1: 2}", 1, 2, '"1" is unexpected'],
    ["]", 1, 1, '"]" is unexpected'],
    ["[}", 1, 2, '"}" is unexpected'],
  ] as const) {
    assert.deepEqual(findJsonFault(text), { line, column, message }, text);
  }
});

test("deep and long texts are handled", () => {
  assert.equal(findJsonFault("[".repeat(200_000) + "]".repeat(200_000)), null);
  assert.equal(findJsonFault(JSON.stringify("\\x\n".repeat(1_000_000))), null);
});
