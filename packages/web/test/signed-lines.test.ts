import assert from "node:assert/strict";
import { createSecretKey, hash } from "node:crypto";
import { describe, it } from "node:test";
import { canonicalString } from "@portico/protocol";
import { hmacSha256Hex } from "@portico/protocol/signature";
import {
  findSignatureMistakes,
  type MismatchedCall,
  SIGNATURE_MISTAKES,
} from "../../server/src/domain/requests/signature-mistakes.ts";
import { differences } from "../src/console/requests/differences.ts";
import { isKeyMistake, textOfMistakes, textOfPaste } from "../src/console/requests/signed-lines.ts";

const SECRET = "k7-Zr_5QpWd2LxT9bVnE0sYhJ4uAcG1mXoF8iRt3BwM";
const BODY = Buffer.from('{"receiveId":"g_team"}');
const CALL: MismatchedCall = {
  method: "POST",
  path: "/api/open/v2/bot/messages/a%2Fb",
  rawQuery: "q=a%20b&p=1+2&B=%2f!&a=%e6%9e%84",
  appId: "app_ci",
  credentialId: "cred_ci",
  timestamp: "1767225600000",
  nonce: "6f1f0f3e9c1d4c58a3b2",
  bodyHash: hash("sha256", BODY, "hex"),
  signature: "",
  body: BODY,
  contentType: "application/json",
  credential: { credentialId: "cred_ci", key: createSecretKey(SECRET, "utf8"), rotatedAt: null },
  others: [],
};
const DUE = canonicalString(CALL).split("\n");

describe("the text that a client signed", () => {
  for (const mistake of Object.keys(SIGNATURE_MISTAKES)) {
    const { lines, joint, outside } = textOfMistakes(DUE, CALL.rawQuery, [mistake]);
    if (lines.includes(null)) {
      it(`of ${mistake} is known but for the hash of a body that only the client has`, () => {
        assert.deepEqual(lines.slice(0, 7), DUE.slice(0, 7));
        assert.match(mistake, /^body-/);
      });
    } else if (outside.length > 0) {
      it(`of ${mistake} is right, and what differs is beside it`, () => {
        assert.deepEqual(lines, DUE);
        assert.deepEqual(outside, [isKeyMistake(mistake) ? "key" : "signature"]);
      });
    } else {
      it(`of ${mistake} gives the signature in which the service finds just that`, () => {
        const signature = hmacSha256Hex(SECRET, lines.join(joint));
        assert.deepEqual(findSignatureMistakes({ ...CALL, signature }), [mistake]);
      });
    }
  }

  it("is read from a program's output, with line feeds, CR LF or escapes", () => {
    for (const joint of ["\n", "\r\n", "\\n"]) {
      assert.deepEqual(textOfPaste(DUE.join(joint)), { lines: DUE, joint, outside: [] });
    }
  });
});

describe("differences", () => {
  it("are found character by character", () => {
    const { left, right } = differences("/api/v2/messages", "/api/v1/message");
    assert.deepEqual(marked(left), ["2", "s"]);
    assert.deepEqual(marked(right), ["1"]);
  });

  it("show a gap where a text only lacks something", () => {
    const { left, right } = differences("1767225600", "1767225600000");
    assert.deepEqual(left, [
      { text: "1767225600", differs: false },
      { text: "", differs: true },
    ]);
    assert.deepEqual(marked(right), ["000"]);
  });

  it("of texts that agree by chance alone are all of them", () => {
    const [left, right] = [hash("sha256", "a", "hex"), hash("sha256", "b", "hex")];
    assert.deepEqual(differences(left, right), {
      left: [{ text: left, differs: true }],
      right: [{ text: right, differs: true }],
    });
  });

  it("keep the texts whole, also very long ones", () => {
    const [left, right] = ["x".repeat(5_000), `${"x".repeat(2_000)}y${"x".repeat(3_000)}`];
    const found = differences(left, right);
    assert.equal(found.left.map(({ text }) => text).join(""), left);
    assert.equal(found.right.map(({ text }) => text).join(""), right);
  });
});

function marked(pieces: readonly { text: string; differs: boolean }[]): string[] {
  return pieces.filter(({ differs }) => differs).map(({ text }) => text);
}
