import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalString } from "@portico/protocol";
import { sha256Hex, verifyHmac } from "@portico/protocol/signature";
import { RequestSigner } from "./signed-requests.ts";

const sender = { appId: "app_1", credentialId: "cred_1", appSecret: "secret", groupId: "g_1" };

test("every signed request is another one, and its signature is right", () => {
  const signer = new RequestSigner(sender);
  const nonces = new Set<string>();
  const bodies = new Set<string>();
  for (const count of [3, 5, 2]) {
    const requests = signer.sign(count, true);
    assert.equal(requests.count, count);
    for (let index = 0; index < count; index++) {
      const [head = "", body = ""] = requests.at(index).toString("utf8").split("\r\n\r\n");
      const [, ...lines] = head.split("\r\n");
      const headers = new Map(
        lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      const header = (name: string) => headers.get(name) ?? "";
      const nonce = header("X-Open-Nonce");
      const canonical = canonicalString({
        method: "POST",
        path: "/api/open/v2/bot/messages",
        rawQuery: "",
        appId: header("X-Open-App-Id"),
        credentialId: header("X-Open-Credential-Id"),
        timestamp: header("X-Open-Timestamp"),
        nonce,
        bodyHash: sha256Hex(body),
      });
      assert.ok(verifyHmac(sender.appSecret, canonical, header("X-Open-Signature")));
      assert.equal(header("Content-Length"), String(Buffer.byteLength(body)));
      nonces.add(nonce);
      bodies.add(body);
    }
  }
  assert.equal(nonces.size, 10);
  assert.equal(bodies.size, 10);
});
