import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endingOf, plainName } from "./plain-name.ts";

describe("the name of a file", () => {
  it("shows its ending where it is", () => {
    assert.equal(plainName("invoice\u202Efdp.exe"), "invoicefdp.exe");
    assert.equal(plainName("a\u0000b\nc\u200d.txt"), "abc.txt");
    assert.equal(plainName("季度报告 – 最终.pdf"), "季度报告 – 最终.pdf");
  });

  it("has an ending, or none", () => {
    assert.equal(endingOf("report.final.PDF"), "PDF");
    assert.equal(endingOf("a.\u202Eexe"), "EXE");
    assert.equal(endingOf("Makefile"), "");
    assert.equal(endingOf("what. is this"), "");
  });
});
