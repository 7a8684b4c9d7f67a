import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { BodyPieces } from "./body-pieces.ts";

const KIB = 1024;

/** Adds pieces of these lengths. Returns the cost of each. */
function add(pieces: BodyPieces, lengths: number[]): number[] {
  return lengths.map((length) => {
    const piece = Buffer.alloc(length, "x");
    const cost = pieces.cost(piece);
    pieces.add(piece);
    return cost;
  });
}

describe("the pieces of a body", () => {
  test("a body in one piece is not copied, however small", () => {
    const piece = Buffer.from("body");
    const pieces = new BodyPieces();
    pieces.add(piece);
    assert.equal(pieces.join(), piece);
  });
  test("large pieces cost their length", () => {
    assert.deepEqual(add(new BodyPieces(), [64 * KIB, 64 * KIB, 16 * KIB]), [64 * KIB, 64 * KIB, 16 * KIB]);
  });
  test("small pieces share a buffer", () => {
    const costs = add(new BodyPieces(), [100, ...Array(40 * KIB).fill(1)]);
    assert.equal(
      costs.reduce((sum, cost) => sum + cost),
      100 + 64 * KIB,
    );
  });
  test("pieces are joined in their order, whatever their lengths", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 40 * KIB }))),
        (lengths) => {
          const pieces = new BodyPieces();
          const all = lengths.map((length, index) => Buffer.alloc(length, index + 1));
          for (const piece of all) pieces.add(Buffer.from(piece));
          const body = Buffer.concat(all);
          assert.equal(pieces.length, body.length);
          assert.ok(pieces.join().equals(body));
        },
      ),
    );
  });
});
