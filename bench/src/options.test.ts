import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions, UsageError } from "./options.ts";

test("without options the defaults apply", () => {
  const comparisons = [
    "text",
    "card",
    "rules",
    "live",
    "webhook",
    "members",
    "customer",
    "console",
    "uploads",
    "streams",
    "desk",
    "grown",
    "versions",
    "explain",
  ];
  const figures = { seconds: 3, connections: 32, rounds: 3 };
  assert.deepEqual(readOptions([]), { ...figures, against: "1b7b1c2", comparisons, jsonFile: null });
});

test("one comparison can be run alone", () => {
  assert.deepEqual(readOptions(["--only", "live"])?.comparisons, ["live"]);
});

test("--help gives no options", () => {
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
