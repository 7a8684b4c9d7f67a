import assert from "node:assert/strict";
import { createHmac, createSecretKey } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { HmacKey } from "./hmac-key.ts";

test("a key verifies the tags that Node computes, whatever the length of key and text, and no others", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "binary-ascii", minLength: 1_300, maxLength: 1_400 }),
    fc.integer({ min: 1_340, max: 1_400 }).map((length) => "é€".repeat(length)),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), texts, (bytes, text) => {
      const key = createSecretKey(bytes);
      const tag = createHmac("sha256", key).update(text, "utf8").digest("hex");
      const verifier = new HmacKey(key);
      assert.ok(verifier.verifies(text, tag));
      assert.ok(verifier.verifies(text, tag), "a second time");
      assert.ok(!verifier.verifies(`${text} `, tag));
    }),
  );
});

test("a tag that is cut, longer, in capitals or in other characters is refused", () => {
  const key = createSecretKey("secret", "utf8");
  const tag = createHmac("sha256", key).update("text").digest("hex");
  const verifier = new HmacKey(key);
  // Its low byte is that of the first character.
  const alike = String.fromCharCode(tag.charCodeAt(0) + 256);
  const others = [
    "",
    tag.slice(0, -1),
    `${tag}0`,
    tag.toUpperCase(),
    `${alike}${tag.slice(1)}`,
    `${tag.slice(0, -1)}é`,
  ];
  for (const other of others) {
    assert.ok(verifier.verifies("text", tag));
    assert.ok(!verifier.verifies("text", other), other);
  }
});
