import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as Type from "typebox";
import { hasShape } from "./index.ts";

const Schema = Type.Object({
  state: Type.Enum(["OPEN", "DONE"]),
  count: Type.Integer({ maximum: 9 }),
  at: Type.Union([Type.Integer(), Type.Null()]),
  note: Type.Optional(Type.String()),
  items: Type.Array(Type.Object({ id: Type.String() })),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.Unknown(),
});
const VALUE = { state: "OPEN", count: 1, at: null, items: [{ id: "a" }], headers: { Accept: "x" }, body: [1] };

describe("hasShape", () => {
  for (const [what, change] of [
    ["all that is promised", {}],
    ["an optional member", { note: "x" }],
    ["a member that is not known", { more: true }],
    ["a state that is not known", { state: "PAUSED" }],
    ["a number beyond the range", { count: 10 }],
    ["the other type of a union", { at: 5 }],
  ] as const) {
    test(`accepts ${what}`, () => assert.equal(hasShape(Schema, { ...VALUE, ...change }), true));
  }
  for (const [what, change] of [
    ["a state that is no text", { state: 5 }],
    ["a fraction for an integer", { count: 1.5 }],
    ["a text where a number or null is promised", { at: "now" }],
    ["null for an optional text", { note: null }],
    ["an item without its members", { items: [{}] }],
    ["a text for a list", { items: "none" }],
    ["a number for a header", { headers: { Accept: 1 } }],
    ["a list for an object", { headers: [] }],
  ] as const) {
    test(`refuses ${what}`, () => assert.equal(hasShape(Schema, { ...VALUE, ...change }), false));
  }
  for (const name of Object.keys(VALUE)) {
    test(`refuses a value without ${name}`, () => {
      const { [name as keyof typeof VALUE]: _left, ...rest } = VALUE;
      assert.equal(hasShape(Schema, rest), false);
    });
  }
  test("ignores inherited members", () => {
    assert.equal(hasShape(Type.Object({ toString: Type.Unknown() }), {}), false);
  });
});
