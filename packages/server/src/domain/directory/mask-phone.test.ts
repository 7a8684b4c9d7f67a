import assert from "node:assert/strict";
import { test } from "node:test";
import { maskPhone } from "./mask-phone.ts";

for (const [phone, masked] of [
  ["13800000010", "138****0010"],
  ["+8613800000010", "+86*******0010"],
  ["123456789", "123**6789"],
  ["12345678", "1******8"],
  ["110", "1*"],
  ["1", "1*"],
  ["", "*"],
] as const) {
  test(`'${phone}' is masked as '${masked}'`, () => {
    assert.equal(maskPhone(phone), masked);
  });
}
