import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { linkParts } from "./links.ts";

function linked(text: string): string[] {
  return linkParts(text)
    .filter(({ href }) => href !== null)
    .map(({ text }) => text);
}

test("addresses of the web are links, without the punctuation behind them", () => {
  assert.deepEqual(linked("See https://a.example/x?y=1, or (http://b.example)."), [
    "https://a.example/x?y=1",
    "http://b.example",
  ]);
  assert.deepEqual(linked("请看https://a.example/x帮助。谢谢"), ["https://a.example/x"]);
  assert.deepEqual(linked("javascript:alert(1) data:text/html,x ftp://a.example //a.example"), []);
});

test("quotes, dashes, an ellipsis and letters of Chinese, Japanese and Korean end an address; its own brackets are its", () => {
  const address = "https://a.example/x";
  for (const behind of [
    "”",
    "’",
    "…",
    "……",
    "—",
    "——",
    "谢谢",
    "です",
    "입니다",
    "》",
    "」",
    "、",
    "；",
    "𠀀",
    "`",
    "**",
  ]) {
    assert.deepEqual(linked(`见${address}${behind}`), [address], behind);
  }
  for (const before of ["“", "「", "(", "=", "`", "🔗", "**"])
    assert.deepEqual(linked(before + address), [address], before);
  assert.deepEqual(linked("https://a.example谢谢"), ["https://a.example"]);
  assert.deepEqual(linked("(https://en.wikipedia.org/wiki/A_(b))"), ["https://en.wikipedia.org/wiki/A_(b)"]);
  assert.deepEqual(linked("https://a.example/x[1]]"), ["https://a.example/x[1]"]);
  assert.deepEqual(linked("https://例子.测试/x，https://ru.example/Москва."), [
    "https://例子.测试/x",
    "https://ru.example/Москва",
  ]);
  assert.deepEqual(linked("http://localhost:8080/x http://[::1]/x http://10.0.0.1:80"), [
    "http://localhost:8080/x",
    "http://[::1]/x",
    "http://10.0.0.1:80",
  ]);
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
