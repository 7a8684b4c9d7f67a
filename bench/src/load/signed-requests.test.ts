import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalString } from "@portico/protocol";
import { sha256Hex, verifyHmac } from "@portico/protocol/signature";
import { newSender, RequestSigner, sendSigner } from "./signed-requests.ts";

const sender = newSender();

for (const kind of ["text", "card"] as const) {
  test(`every signed ${kind} is different, and its signature is correct`, () => {
    const signer = sendSigner(sender, kind);
    const nonces = new Set<string>();
    const contents = new Set<string>();
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
        assert.equal(JSON.parse(body).msgType, kind);
        nonces.add(nonce);
        contents.add(JSON.stringify(JSON.parse(body).content));
      }
    }
    assert.equal(nonces.size, 10);
    assert.equal(contents.size, 10);
  });
}

test("no more requests are signed than fit into the buffer", () => {
  const bytes = sendSigner(sender, "card").sign(1, false).at(0).length;
  assert.equal(sendSigner(sender, "card", 4 * bytes - 1).sign(100, false).count, 3);
});

test("a signed read has its query in the signature, and no body", () => {
  const signer = new RequestSigner(sender, () => ({ method: "GET", path: "/a", rawQuery: "b=1", body: "" }));
  const [head = "", body] = signer.sign(1, false).at(0).toString("utf8").split("\r\n\r\n");
  assert.equal(body, "");
  assert.ok(head.startsWith("GET /a?b=1 HTTP/1.1\r\n"));
  assert.doesNotMatch(head, /Content-Length/);
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(head)?.[1] ?? "";
  const canonical = canonicalString({
    method: "GET",
    path: "/a",
    rawQuery: "b=1",
    appId: sender.appId,
    credentialId: sender.credentialId,
    timestamp: header("X-Open-Timestamp"),
    nonce: header("X-Open-Nonce"),
    bodyHash: sha256Hex(""),
  });
  assert.ok(verifyHmac(sender.appSecret, canonical, header("X-Open-Signature")));
});
