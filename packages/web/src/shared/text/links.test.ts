import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { linkParts } from "./links.ts";

test("addresses of the web are links, without the punctuation behind them", () => {
  const linked = (text: string) =>
    linkParts(text)
      .filter(({ href }) => href !== null)
      .map(({ text }) => text);
  assert.deepEqual(linked("See https://a.example/x?y=1, or (http://b.example)."), [
    "https://a.example/x?y=1",
    "http://b.example",
  ]);
  assert.deepEqual(linked("请看 https://a.example/帮助。谢谢"), ["https://a.example/帮助"]);
  assert.deepEqual(linked("javascript:alert(1) data:text/html,x ftp://a.example //a.example"), []);
});

test("nothing of a text is lost, and every link leads to the web", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.webUrl(), (text, url) => {
      const parts = linkParts(`${text} ${url} ${text}`);
      assert.equal(parts.map((part) => part.text).join(""), `${text} ${url} ${text}`);
      for (const { href } of parts) assert.ok(href === null || /^https?:\/\//.test(href));
    }),
  );
});
