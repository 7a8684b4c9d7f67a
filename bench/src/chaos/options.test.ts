import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../options.ts";
import { FAULTS } from "./faults/index.ts";
import { readChaosOptions, USAGE } from "./options.ts";

test("without options both engines run for a minute, with every fault and a random seed", () => {
  const options = readChaosOptions([]);
  assert.deepEqual([options?.seconds, options?.engines, options?.processes], [60, ["embedded", "distributed"], 2]);
  assert.equal(options?.faults, FAULTS);
  assert.ok(Number.isInteger(options?.seed));
});

test("the options of a run", () => {
  const args = ["--seconds", "5", "--seed", "0", "--engine", "embedded", "--processes", "4", "--faults", "kill, clock"];
  const options = readChaosOptions(args);
  const { seconds, seed, engines, processes, faults } = options ?? assert.fail("it is not help");
  assert.deepEqual([seconds, seed, engines, processes], [5, 0, ["embedded"], 4]);
  assert.deepEqual(
    faults.map(({ name }) => name),
    ["kill", "clock"],
  );
});

for (const args of [
  ["--seconds", "0"],
  ["--seconds", "1.5"],
  ["--seed", "-1"],
  ["--seed", "4294967296"],
  ["--engine", "sqlite"],
  ["--processes", "9"],
  ["--faults", "meteor"],
  ["--unknown"],
  ["word"],
]) {
  test(`${args.join(" ")} is refused`, () => {
    assert.throws(() => readChaosOptions(args), UsageError);
  });
}

test("help names every fault", () => {
  assert.equal(readChaosOptions(["--help"]), null);
  for (const { name } of FAULTS) assert.match(USAGE, new RegExp(`  ${name} `));
});
