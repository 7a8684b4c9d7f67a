import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { CsvError, readCsv } from "./read-csv.ts";

describe("a CSV text", () => {
  it("is read with the line in which each row begins", () => {
    assert.deepEqual(readCsv("a,b\nc,d\n"), [
      { line: 1, values: ["a", "b"] },
      { line: 2, values: ["c", "d"] },
    ]);
  });
  it("may end its lines by CRLF, and its last one by nothing", () => {
    assert.deepEqual(
      readCsv("a,b\r\nc,").map(({ values }) => values),
      [
        ["a", "b"],
        ["c", ""],
      ],
    );
  });
  it("may begin with a byte order mark", () => {
    assert.deepEqual(readCsv("\uFEFFusername,name")[0]?.values, ["username", "name"]);
  });
  it("has commas, quotes and line ends within quotes, which count as lines", () => {
    assert.deepEqual(readCsv('"a,b","say ""hi""","one\ntwo"\nc,d,e'), [
      { line: 1, values: ["a,b", 'say "hi"', "one\ntwo"] },
      { line: 3, values: ["c", "d", "e"] },
    ]);
  });
  it("keeps counting lines over empty ones", () => {
    assert.deepEqual(readCsv("a\n\n  \nb"), [
      { line: 1, values: ["a"] },
      { line: 4, values: ["b"] },
    ]);
  });
  it("names the line of a quoted value that does not end", () => {
    assert.throws(
      () => readCsv('a,b\nc,"d\ne,f'),
      (error) => error instanceof CsvError && error.line === 2,
    );
  });
  it("of whatever values is read as it was written", () => {
    const values = fc.array(fc.string({ unit: "binary", maxLength: 8 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(values, { maxLength: 6 }), (rows) => {
        const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")).join("\r\n");
        assert.deepEqual(
          readCsv(text).map((row) => row.values),
          rows,
        );
      }),
    );
  });
  it("is read in time that grows with its length alone", () => {
    assert.equal(readCsv("a,b,c,d\n".repeat(100_000)).length, 100_000);
  });
});
