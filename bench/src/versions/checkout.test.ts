import assert from "node:assert/strict";
import { test } from "node:test";
import { checkOut } from "./checkout.ts";

for (const commit of ["0".repeat(40), "no such version", "--output=/dev/null", "HEAD; true"]) {
  test(`${commit} is no commit, which is said`, async () => {
    const checkout = await checkOut(commit);
    assert.ok("missing" in checkout);
    assert.match(checkout.missing, new RegExp(`^commit ${commit} cannot be had: .`));
  });
}
