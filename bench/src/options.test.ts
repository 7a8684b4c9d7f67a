import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions, UsageError } from "./options.ts";

test("without options the defaults hold", () => {
  assert.deepEqual(readOptions([]), { seconds: 5, connections: 32, rounds: 3, comparisons: ["text"], jsonFile: null });
});

test("help is told from a run", () => {
  assert.equal(readOptions(["--help"]), null);
});

for (const args of [
  ["--seconds", "0"],
  ["--seconds", "61"],
  ["--rounds", "x"],
  ["--only", "cards"],
  ["--fast"],
  ["text"],
]) {
  test(`${args.join(" ")} is refused`, () => {
    assert.throws(() => readOptions(args), UsageError);
  });
}
