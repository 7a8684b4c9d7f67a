import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { signRequest } from "@portico/protocol/signature";
import { signCall } from "./sign-call.ts";

const CALL = {
  method: "POST",
  path: "/api/open/v2/bot/messages",
  appId: "app_ci",
  credentialId: "cred_ci",
  timestamp: 1_767_225_600_000,
  nonce: "6f1f0f3e9c1d4c58a3b2",
};
const SECRET = "k7-Zr_5QpWd2LxT9bVnE0sYhJ4uAcG1mXoF8iRt3BwM";

describe("signing a call in the page", () => {
  it("gives the signature of the contract's example", async () => {
    const body =
      '{"receiveIdType":"group_id","receiveId":"g_team","msgType":"text","content":{"text":"构建 12 通过 ✓"}}';
    const { headers } = await signCall({ ...CALL, query: "", bytes: new TextEncoder().encode(body) }, SECRET);
    assert.equal(headers["X-Open-Signature"], "4de4c911e86ea6da69b3abe3719ffb38fa892365e132a8754b2d91324186378a");
  });

  it("signs as servers do, with a query and bytes that are no text", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const query = "a=%20&b=%2B";
    const here = await signCall({ ...CALL, query, bytes }, SECRET);
    const there = signRequest({ ...CALL, rawQuery: query, body: bytes, appSecret: SECRET });
    assert.deepEqual(here.headers, there.headers);
    assert.equal(here.signedText, there.canonicalString);
  });
});
