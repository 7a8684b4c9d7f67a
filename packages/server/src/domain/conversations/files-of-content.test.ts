import assert from "node:assert/strict";
import { test } from "node:test";
import { mayClaimFiles } from "./files-of-content.ts";

test("a message may claim files unless its text shows that it has none", () => {
  const may = (msgType: string, content: object) =>
    mayClaimFiles({ msgType, content }, Buffer.from(JSON.stringify({ msgType, content })));
  assert.equal(may("text", { text: "img_key" }), false);
  assert.equal(may("post", { any: "img_key" }), false);
  assert.equal(may("image", { fileKey: "k", width: 1, height: 1 }), true);
  assert.equal(may("file", { fileKey: "k" }), true);
  assert.equal(may("card", { card: { schema: "2.0" } }), false);
  assert.equal(may("card", { card: { body: { elements: [{ tag: "img", img_key: "k" }] } } }), true);
  assert.equal(may("card", { cardId: "tpl" }), true);
});

test("a message with a template and a card that is null may claim the files of the template", () => {
  const content = { card: null, cardId: "tpl" };
  assert.equal(mayClaimFiles({ msgType: "card", content }, Buffer.from(JSON.stringify(content))), true);
});

test("a card whose img_key is spelled with escapes may claim files", () => {
  const text = '{"msgType":"card","content":{"card":{"body":{"elements":[{"tag":"img","img\\u005fkey":"k"}]}}}}';
  assert.equal(mayClaimFiles(JSON.parse(text), Buffer.from(text)), true);
});
