import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Endpoint, OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { OperationName } from "../../shared/calls/snippets/snippet-call.ts";
import { hintIn, summaryIn } from "./hints.ts";

const NAMES = Object.keys(OPEN_ENDPOINTS) as OperationName[];

describe("what the explorer says of a call", () => {
  for (const name of NAMES) {
    it(`${name} is described in Chinese, with all its fields`, () => {
      const endpoint: Endpoint = OPEN_ENDPOINTS[name];
      const hints = [endpoint.query, endpoint.body].flatMap(descriptionsIn);
      const foreign = [summaryIn("zh-CN", name), ...hints.map((hint) => hintIn("zh-CN", hint) ?? "")].filter(
        (text) => !/\p{Script=Han}/u.test(text),
      );
      assert.deepEqual(foreign, []);
    });
  }
});

/** All descriptions in a schema. */
function descriptionsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "description" && typeof value === "string" ? [value] : descriptionsIn(value),
  );
}
