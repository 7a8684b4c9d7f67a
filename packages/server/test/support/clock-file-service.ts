import { readFileSync } from "node:fs";
import { main } from "../../src/index.ts";
import { CHEAP_HASHES } from "./hash-cost.ts";

/*
 * Starts the service with cheap password hashes and a clock that is ahead by what a file says, in milliseconds. Processes
 * with the same file have their clocks set at the same moment. What goes by the database's clock, or the monotonic one, goes on
 * as it does: processes read the former at different times.
 */
const file = process.env.PORTICO_TEST_CLOCK ?? "";
const aheadMs = () => Number(readFileSync(file, "utf8"));

await main(process.env, {
  hashCost: CHEAP_HASHES,
  clock: { now: () => Date.now() + aheadMs(), monotonic: () => performance.now() },
});
