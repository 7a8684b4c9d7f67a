import assert from "node:assert/strict";
import { test } from "node:test";
import { readCredential } from "./read-credential.ts";

test("a credential is read from a profile, and from its two parts", () => {
  const credential = { credentialId: "cred_1", appSecret: "s-1" };
  assert.deepEqual(readCredential(JSON.stringify({ baseUrl: "http://x", appId: "app_1", ...credential })), credential);
  assert.deepEqual(readCredential(" cred_1\n\ts-1 \n"), credential);
});

for (const text of ["", "cred_1", "cred_1 a b", "x y", "{}", "null", '{"credentialId":1,"appSecret":"s"}', "17"]) {
  test(`${JSON.stringify(text)} is none`, () => assert.equal(readCredential(text), null));
}
