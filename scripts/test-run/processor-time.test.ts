import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { processorMs, sumOfTimes } from "./processor-time.ts";

/** Takes some hundred milliseconds. */
const WORK = "crypto.pbkdf2Sync('a', 'b', 500_000, 64, 'sha512')";

describe("the processor time of a process", () => {
  it("is that of its own and of the children that have ended, whatever its name", () => {
    const before = "42 (a) b) S 1 42 42 0 -1 4194304 100 200 0 0";
    assert.equal(sumOfTimes(`${before} 1 20 300 4000 20 0 1 0 99`), 43_210);
  });

  it("grows by what a child has used", { skip: process.platform !== "linux" && "only Linux tells" }, () => {
    const before = processorMs();
    execFileSync(process.execPath, ["-e", WORK]);
    const used = processorMs() - before;
    assert.ok(used >= 100, `${used} ms`);
  });
});
