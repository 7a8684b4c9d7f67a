import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { fieldOf, type JsonSchema, membersOf, withMember } from "./schema-field.ts";

describe("the field of a schema", () => {
  for (const [name, schema, kind] of [
    ["a text", { type: "string" }, "text"],
    ["a text or null", { anyOf: [{ type: "string" }, { type: "null" }] }, "text"],
    ["a whole number", { type: "integer" }, "number"],
    ["a yes or no", { type: "boolean" }, "choice"],
    ["one of several", { enum: ["a", "b"] }, "choice"],
    ["one of several constants", { anyOf: [{ const: 0 }, { const: 1 }] }, "choice"],
    ["an object", { type: "object", properties: { a: { type: "string" } } }, "group"],
    ["an object of any shape", { type: "object", properties: {} }, "json"],
    ["a list", { type: "array", items: { type: "string" } }, "list"],
    ["a text or an object", { anyOf: [{ type: "string" }, { type: "object" }] }, "either"],
    ["anything", {}, "json"],
  ] as const) {
    it(`${name}: ${kind}`, () => {
      assert.equal(fieldOf(schema).kind, kind);
    });
  }

  it("keeps what a nullable's own schema says", () => {
    const field = fieldOf({ anyOf: [{ type: "string", maxLength: 64, description: "Key" }, { type: "null" }] });
    assert.deepEqual(field, { kind: "text", maxLength: 64, description: "Key", usual: undefined });
  });

  it("every call's query and body has members, the required ones first", () => {
    for (const endpoint of Object.values(OPEN_ENDPOINTS)) {
      for (const schema of ["query" in endpoint && endpoint.query, "body" in endpoint && endpoint.body]) {
        if (!schema) continue;
        const required = membersOf(schema as JsonSchema).map(({ isRequired }) => isRequired);
        assert.ok(required.length > 0);
        assert.deepEqual(
          required,
          [...required].sort((a, b) => Number(b) - Number(a)),
        );
      }
    }
  });

  it("a member that is cleared is taken out, and unknown members stay", () => {
    assert.deepEqual(withMember({ a: 1, own: true }, "a", undefined), { own: true });
    assert.deepEqual(withMember(null, "a", 1), { a: 1 });
  });
});
