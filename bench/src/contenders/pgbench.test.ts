import assert from "node:assert/strict";
import { test } from "node:test";
import { transactionsPerSecond } from "./pgbench.ts";

test("the rate is read from the output of pgbench", () => {
  const output = "latency average = 12.3 ms\ninitial connection time = 40.1 ms\ntps = 2598.123456 (without initial)\n";
  assert.equal(transactionsPerSecond(output), 2598.123456);
  assert.throws(() => transactionsPerSecond("pgbench: error: no tps = 3"), /says no rate/);
});
