import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lineOfNoOrigin, originsOf } from "./origins.ts";

describe("the sites of a widget", () => {
  it("stand on a line each, and blank lines count for nothing", () => {
    assert.deepEqual(originsOf("\n https://a.example \r\n\nhttp://localhost:3000\n"), [
      "https://a.example",
      "http://localhost:3000",
    ]);
    assert.equal(lineOfNoOrigin("\n https://a.example/\n\nhttp://localhost:3000"), undefined);
  });

  for (const line of [
    "a.example",
    "https://a.example/path",
    "https://*.example",
    "https://",
    "ftp://a.example",
    "https://a b",
  ]) {
    it(`${line} is none`, () => {
      assert.equal(lineOfNoOrigin(`https://a.example\n${line}`), 2);
    });
  }
});
