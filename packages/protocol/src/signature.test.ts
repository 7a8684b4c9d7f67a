import assert from "node:assert/strict";
import { createHmac, createSecretKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import VECTORS from "../vectors/signature.json" with { type: "json" };
import { hmacSha256Hex, sha256Hex, signRequest, signWebhook, verifyHmac } from "./signature.ts";

const { request: requests, webhook: webhooks } = VECTORS;

/** All texts that differ from `text` in one character of the same size. */
function* withOneCharacterChanged(text: string): Generator<string> {
  for (let index = 0; index < text.length; index++) {
    const other = text[index] === "0" ? "1" : "0";
    yield text.slice(0, index) + other + text.slice(index + 1);
  }
}

describe("signature of a request", () => {
  for (const vector of requests) {
    const body = Buffer.from(vector.bodyBase64, "base64");
    test(`${vector.name}: the canonical string, the signature and the headers of the vector`, () => {
      const signed = signRequest({ ...vector, body });
      assert.deepEqual(signed, {
        bodyHash: sha256Hex(body),
        canonicalString: vector.canonicalString,
        signature: vector.signature,
        headers: {
          "X-Open-App-Id": vector.appId,
          "X-Open-Credential-Id": vector.credentialId,
          "X-Open-Timestamp": String(vector.timestamp),
          "X-Open-Nonce": vector.nonce,
          "X-Open-Signature": vector.signature,
        },
      });
      assert.ok(verifyHmac(vector.appSecret, vector.canonicalString, vector.signature));
      assert.ok(verifyHmac(createSecretKey(vector.appSecret, "utf8"), vector.canonicalString, vector.signature));
    });
    test(`${vector.name}: one character of the canonical string, the signature or the secret changed does not verify`, () => {
      const { appSecret, canonicalString, signature } = vector;
      for (const changed of withOneCharacterChanged(canonicalString)) {
        assert.ok(!verifyHmac(appSecret, changed, signature), changed);
      }
      for (const changed of withOneCharacterChanged(signature)) {
        assert.ok(!verifyHmac(appSecret, canonicalString, changed), changed);
      }
      for (const changed of withOneCharacterChanged(appSecret)) {
        assert.ok(!verifyHmac(changed, canonicalString, signature), changed);
      }
    });
    test(`${vector.name}: one byte of the body changed or added changes the signature`, () => {
      for (let index = 0; index < body.length; index++) {
        const changed = Buffer.from(body);
        changed[index] = (changed[index] ?? 0) ^ 1;
        assert.notEqual(signRequest({ ...vector, body: changed }).signature, vector.signature);
      }
      const longer = Buffer.concat([body, Buffer.of(0)]);
      assert.notEqual(signRequest({ ...vector, body: longer }).signature, vector.signature);
    });
  }

  test("a text body is signed as its UTF-8 bytes", () => {
    const [vector] = requests;
    assert.ok(vector);
    const body = Buffer.from(vector.bodyBase64, "base64").toString("utf8");
    assert.match(body, /构建/);
    assert.equal(signRequest({ ...vector, body }).signature, vector.signature);
  });
});

describe("signature of a webhook delivery", () => {
  for (const { secret, eventId, timestamp, body, signature } of webhooks) {
    test(`${eventId}: the signature of the vector, from text and from bytes`, () => {
      assert.equal(signWebhook(secret, eventId, timestamp, body), signature);
      assert.equal(signWebhook(secret, eventId, timestamp, Buffer.from(body)), signature);
      assert.ok(verifyHmac(secret, `${eventId}\n${timestamp}\n${body}`, signature));
    });
    test(`${eventId}: one character of what is signed, the signature or the secret changed does not verify`, () => {
      const text = `${eventId}\n${timestamp}\n${body}`;
      for (const changed of withOneCharacterChanged(text)) assert.ok(!verifyHmac(secret, changed, signature), changed);
      for (const changed of withOneCharacterChanged(signature)) assert.ok(!verifyHmac(secret, text, changed), changed);
      for (const changed of withOneCharacterChanged(secret)) assert.ok(!verifyHmac(changed, text, signature), changed);
    });
  }
});

describe("verifying", () => {
  const tag = hmacSha256Hex("secret", "text");

  test("any text but the tag is refused, whatever its length and characters", () => {
    const other = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 }),
      fc.nat({ max: 63 }).map((length) => tag.slice(0, length)),
      fc.string({ minLength: 1 }).map((tail) => tag + tail),
      fc.string({ minLength: 1 }).map((head) => head + tag),
    );
    fc.assert(
      fc.property(other, (received) => {
        fc.pre(received !== tag);
        assert.ok(!verifyHmac("secret", "text", received));
      }),
    );
  });
  test("the tag in upper case is refused", () => {
    assert.ok(!verifyHmac("secret", "text", tag.toUpperCase()));
  });
  test("characters that share only their low byte with those of the tag are refused", () => {
    const lookalike = [...tag].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0x100)).join("");
    assert.ok(!verifyHmac("secret", "text", lookalike));
  });
});

interface HmacCorpus {
  testGroups: {
    tagSize: number;
    tests: { tcId: number; comment: string; key: string; msg: string; tag: string; result: "valid" | "invalid" }[];
  }[];
}

const corpora = process.env.PORTICO_TEST_CORPORA;

describe("Wycheproof HMAC-SHA256", () => {
  if (corpora === undefined) {
    test("the corpus", { skip: "set PORTICO_TEST_CORPORA to run" }, () => {});
    return;
  }
  const file = join(corpora, "wycheproof-hmac-sha256", "hmac_sha256_test.json");
  const { testGroups }: HmacCorpus = JSON.parse(readFileSync(file, "utf8"));
  const vectors = testGroups.flatMap(({ tagSize, tests }) =>
    tests.map((vector) => ({
      ...vector,
      tagSize,
      key: createSecretKey(vector.key, "hex"),
      message: Buffer.from(vector.msg, "hex"),
    })),
  );
  /** Our messages are texts, so the vectors with other messages are skipped. */
  const texts = vectors
    .map((vector) => ({ ...vector, text: vector.message.toString("utf8") }))
    .filter(({ text, message }) => Buffer.from(text).equals(message));

  test("our HMAC agrees with every vector", () => {
    assert.ok(vectors.length > 0);
    for (const { tcId, key, message, tag, tagSize, result } of vectors) {
      const own = createHmac("sha256", key).update(message).digest("hex");
      assert.equal(own.slice(0, tagSize / 4) === tag, result === "valid", `tcId ${tcId}`);
    }
  });
  test("full tags are accepted", () => {
    const full = texts.filter(({ tagSize, result }) => tagSize === 256 && result === "valid");
    assert.ok(full.length > 0);
    for (const { tcId, key, text, tag } of full) {
      assert.equal(hmacSha256Hex(key, text), tag, `tcId ${tcId}`);
      assert.ok(verifyHmac(key, text, tag), `tcId ${tcId}`);
    }
  });
  test("modified tags are refused", () => {
    const modified = texts.filter(({ result }) => result === "invalid");
    assert.ok(modified.length > 0);
    for (const { tcId, comment, key, text, tag } of modified) {
      assert.ok(!verifyHmac(key, text, tag), `tcId ${tcId}: ${comment}`);
    }
  });
  test("truncated tags are refused, although their bytes are correct", () => {
    const truncated = texts.filter(({ tagSize, result }) => tagSize === 128 && result === "valid");
    assert.ok(truncated.length > 0);
    for (const { tcId, key, text, tag } of truncated) {
      assert.ok(hmacSha256Hex(key, text).startsWith(tag), `tcId ${tcId}`);
      assert.ok(!verifyHmac(key, text, tag), `tcId ${tcId}`);
    }
  });
});
