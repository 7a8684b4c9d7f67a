import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffLines } from "../src/line-diff.ts";

const text = (...lines: (string | number)[]) => `${lines.join("\n")}\n`;

test("what is the same near a difference is shown, the rest is not", () => {
  const former = text(1, 2, 3, 4, 5, "old", 6, 7, 8, 9);
  const latter = text(1, 2, 3, 4, 5, "new", "more", 6, 7, 8, 9);
  assert.deepEqual(diffLines(former, latter), [
    ...["  3", "  4", "  5", "- old", "+ new", "+ more", "  6", "  7", "  8", "…"],
  ]);
  assert.deepEqual(diffLines(former, former), []);
});

test("the lines make either text out of the other", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const shown = diffLines(text(...a), text(...b));
      const without = (sign: string) => shown.filter((line) => !line.startsWith(sign)).map((line) => line.slice(2));
      if (a.join() === b.join()) return assert.deepEqual(shown, []);
      assert.deepEqual([without("+"), without("-")], [a, b]);
    }),
  );
});
