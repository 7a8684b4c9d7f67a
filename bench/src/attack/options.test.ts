import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../options.ts";
import { readAttackOptions } from "./options.ts";
import { SCENARIOS } from "./scenarios/index.ts";

test("without a name all attacks are run, on both engines unless one is chosen", () => {
  const [first] = SCENARIOS;
  assert.ok(first);
  assert.deepEqual(readAttackOptions([first.name]), {
    scenarios: [first],
    engines: ["embedded", "distributed"],
    seconds: 10,
    realTime: false,
  });
  assert.deepEqual(readAttackOptions(["--all", "--engine", "embedded", "--seconds", "3", "--real-time"]), {
    scenarios: SCENARIOS,
    engines: ["embedded"],
    seconds: 3,
    realTime: true,
  });
  assert.equal(readAttackOptions(["--help"]), null);
});

test("no two attacks have the same name", () => {
  const names = SCENARIOS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
});

for (const args of [[], ["no-such"], ["--all", "--engine", "both"], ["--all", "--seconds", "0"], ["--what"]]) {
  test(`${JSON.stringify(args)} is refused`, () => {
    assert.throws(() => readAttackOptions(args), UsageError);
  });
}
