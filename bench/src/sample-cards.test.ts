import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCard } from "@portico/protocol/cards";
import { galleryCard, nestedCardJson, ORDINARY_CARD, reportCard } from "./sample-cards.ts";

test("the card that is sent is valid and has 10 KB and 100 components", () => {
  const card = reportCard("Build passed");
  assert.equal(checkCard(card).failure, null);
  assert.equal(Buffer.byteLength(JSON.stringify(card)), 10_240);
  assert.equal(JSON.stringify(card).match(/"tag":"(?!plain_text)/g)?.length, 100);
});

test("a report has exactly the requested length in bytes", () => {
  for (let bytes = 20_000; bytes < 20_030; bytes++) {
    assert.equal(Buffer.byteLength(JSON.stringify(reportCard("Build passed", { sections: 20, bytes }))), bytes);
  }
  assert.throws(() => reportCard("Build passed", { ...ORDINARY_CARD, bytes: 1_000 }), /bytes too long/);
});

test("all images of a gallery must be resolved", () => {
  const { failure, images } = checkCard(galleryCard("Screenshots", { images: 199, bytes: 65_536 }));
  assert.equal(failure, null);
  assert.equal(new Set(images.map(({ imgKey }) => imgKey)).size, 199);
});

test("a card that is nested too deep is refused for its depth", () => {
  assert.equal(checkCard(JSON.parse(nestedCardJson(8))).failure, null);
  assert.equal(checkCard(JSON.parse(nestedCardJson(9))).failure?.rule, "depth");
});
