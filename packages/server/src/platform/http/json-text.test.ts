import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonText, pieceByPiece, writeJson } from "./json-text.ts";

test("plain values are written as JSON.stringify writes them", () => {
  const long = '"\\\u2028长'.repeat(3_000);
  const values = [
    null,
    true,
    false,
    0,
    -0,
    1.5,
    1e21,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "",
    '"\n\\',
    long,
  ];
  const nested = { a: values, "": {}, 长: [], b: { c: [[], {}, [null]], d: undefined }, "e\n": long, __proto__: null };
  for (const value of [...values, values, nested, [undefined], { only: undefined }]) {
    assert.equal(writeJson(value), JSON.stringify(value));
  }
});

test("names that come in any number are written as well", () => {
  const value = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`name "${n}"`, n]));
  assert.equal(writeJson(value), JSON.stringify(value));
  assert.equal(writeJson(value), JSON.stringify(value));
});

test("a JsonText is inserted unchanged, and a long one is a piece of its own", () => {
  const [short, long] = ['{"n":1.00}', `[${"1,".repeat(5_000)}1e400]`];
  const pieces: string[] = [];
  pieceByPiece({ a: new JsonText(short), b: [new JsonText(long), 1] }, (piece) => pieces.push(piece));
  assert.deepEqual(pieces, ['{"a":{"n":1.00},"b":[', long, ",1]}"]);
});
