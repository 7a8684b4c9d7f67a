import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ImportedLine } from "@portico/protocol";
import { type Import, NOTHING, withOutcomes } from "./import-state.ts";

const line = (number: number, outcome: ImportedLine["outcome"]): ImportedLine => ({
  line: number,
  outcome,
  problem: null,
});
const begun: Import = { ...NOTHING, stage: "importing", ready: new Set([2, 3]), unsure: new Set() };

describe("the report of an import", () => {
  it("says of members whom a part without an answer has made that they were added", () => {
    const { added, present, outcomes } = withOutcomes({ ...begun, unsure: new Set([2, 3, 4]) }, [
      line(2, "EXISTS"),
      line(3, "CREATED"),
      line(4, "EXISTS"),
    ]);
    assert.deepEqual([added, present], [2, 1]);
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ["CREATED", "CREATED", "EXISTS"],
    );
  });

  it("says of those who were members before the part was sent that they were", () => {
    const { added, present } = withOutcomes(begun, [line(2, "EXISTS"), line(3, "CREATED")]);
    assert.deepEqual([added, present], [1, 1]);
  });
});
