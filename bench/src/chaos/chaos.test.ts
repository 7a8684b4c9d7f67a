import assert from "node:assert/strict";
import { test } from "node:test";
import { readChaosOptions } from "./options.ts";
import { reportChaos } from "./report.ts";
import { runChaos } from "./run.ts";

test("a short run: killed and frozen under load, nothing is lost, doubled or out of order", async () => {
  const args = ["--seconds", "6", "--seed", "1", "--engine", "embedded", "--faults", "kill,freeze"];
  const options = readChaosOptions(args) ?? assert.fail("it is not help");
  const result = await runChaos("embedded", options, () => {});
  assert.deepEqual(result.violations, []);
  assert.ok(result.acknowledged > 0 && result.found.events > 0);
  assert.match(reportChaos(result, options), /Every promise held\./);
});
