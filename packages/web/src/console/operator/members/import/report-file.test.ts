import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reportOf } from "./report-file.ts";

describe("the report of an import", () => {
  it("has every line in its order, and of a wrong one what is wrong", () => {
    const text = reportOf({
      outcomes: [
        { line: 2, outcome: "CREATED" },
        { line: 4, outcome: "EXISTS" },
      ],
      problems: [{ line: 3, problem: "password" }],
    });
    assert.deepEqual(text.slice(1).trimEnd().split("\r\n"), [
      '"line","outcome","problem"',
      '"2","CREATED",""',
      '"3","INVALID","password"',
      '"4","EXISTS",""',
    ]);
  });
});
