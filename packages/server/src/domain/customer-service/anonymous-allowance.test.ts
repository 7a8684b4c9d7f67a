import assert from "node:assert/strict";
import { test } from "node:test";
import { AnonymousAllowance } from "./anonymous-allowance.ts";

test("three addresses do not keep an application's allowance at zero", () => {
  const allowance = new AnonymousAllowance();
  for (let second = 0; second < 3_600; second++) {
    for (const address of ["a", "b", "c"]) allowance.takeNew(address, "app", second * 1_000);
  }
  for (let visitor = 0; visitor < 50; visitor++) assert.equal(allowance.takeNew(`v${visitor}`, "app", 3_600_000), null);
});

test("who is refused because of the application keeps what their address has", () => {
  const allowance = new AnonymousAllowance();
  for (let address = 0; allowance.takeNew(`a${address}`, "app", 0) === null; address++);
  for (let attempt = 0; attempt < 100; attempt++) assert.equal(allowance.takeNew("visitor", "app", 0), 1);
  assert.equal(allowance.takeNew("visitor", "another", 0), null);
});
