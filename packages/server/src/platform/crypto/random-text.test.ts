import assert from "node:assert/strict";
import { test } from "node:test";
import { randomText } from "./random-text.ts";

test("random texts are of their length, in base64url, and never the same", () => {
  const texts = Array.from({ length: 5_000 }, () => randomText(16));
  assert.equal(new Set(texts).size, texts.length);
  for (const text of texts) assert.match(text, /^[\w-]{22}$/);
  assert.equal(Buffer.from(randomText(9), "base64url").length, 9);
});

test("random texts of all sizes share no bytes", () => {
  const seen = new Set<string>();
  for (let size = 8; size < 200; size++) {
    const text = randomText(size);
    assert.equal(Buffer.from(text, "base64url").length, size);
    const start = text.slice(0, 10);
    assert.ok(!seen.has(start), `${start} came twice`);
    seen.add(start);
  }
});
