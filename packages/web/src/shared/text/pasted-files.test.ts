import assert from "node:assert/strict";
import { test } from "node:test";
import { pastedFiles } from "./pasted-files.ts";

function pasted(text: string, ...names: string[]): string[] {
  const files = names.map((name) => new File(["x"], name));
  return pastedFiles({ getData: () => text, files: files as unknown as FileList }).map(({ name }) => name);
}

test("files that were copied in a file manager are attached, whatever it says of them as text", () => {
  assert.deepEqual(pasted("", "a.png"), ["a.png"]);
  assert.deepEqual(pasted("报告 1.pdf", "报告 1.pdf"), ["报告 1.pdf"]);
  assert.deepEqual(pasted("report", "report.pdf"), ["report.pdf"]);
  assert.deepEqual(pasted("a.png\r\nb.txt\r\n", "a.png", "b.txt"), ["a.png", "b.txt"]);
  assert.deepEqual(pasted("/home/ann/a b.png", "a b.png"), ["a b.png"]);
  assert.deepEqual(pasted("file:///home/ann/a%20b.png", "a b.png"), ["a b.png"]);
  assert.deepEqual(pasted('"C:\\Users\\ann\\a.png"', "a.png"), ["a.png"]);
  assert.deepEqual(pasted("e\u0301.txt", "\u00e9.txt"), ["\u00e9.txt"]);
});

test("a picture beside the text that is meant is not attached", () => {
  assert.deepEqual(pasted("1\t2\n3\t4", "image.png"), []);
  assert.deepEqual(pasted("a.png is what I mean", "a.png"), []);
  assert.deepEqual(pasted("a text"), []);
});
