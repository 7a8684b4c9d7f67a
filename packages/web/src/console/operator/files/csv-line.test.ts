import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { csvLine } from "./csv-line.ts";

describe("a line of CSV", () => {
  it("quotes every value", () => {
    assert.equal(csvLine(["a", 'b "c"', "d,e\nf", ""]), '"a","b ""c""","d,e\nf",""\r\n');
  });
  for (const value of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uFF1D1"]) {
    it(`writes ${JSON.stringify(value)} as a text that no spreadsheet runs`, () => {
      assert.equal(csvLine([value]), `"'${value}"\r\n`);
    });
  }
});
