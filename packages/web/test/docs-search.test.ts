import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { searchPages } from "../build/guide-search.ts";
import { renderGuide, sectionsOf } from "../src/docs/guide/markdown.ts";
import { excerptOf } from "../src/docs/search/excerpt.ts";
import { wordsOf } from "../src/docs/search/query.ts";
import { searchTexts } from "../src/docs/search/search-texts.ts";

const PAGES = searchPages();
const found = (query: string) => searchTexts(PAGES, query);

describe("the search of the guide's texts", () => {
  it("finds a place that has every word, in any case and order, at its heading", () => {
    const [first] = found("SORT canonical Percent-decode");
    assert.equal(first?.to, "/guide/contract/signing#the-canonical-query");
    assert.equal(first?.title, "Signing");
    assert.equal(first?.heading, "The canonical query");
    assert.deepEqual(found("canonical zzzz"), []);
  });

  it("puts a page that is called so before the places that mention it", () => {
    for (const [query, to] of [
      ["scaling", "/guide/scaling"],
      ["socket mode", "/guide/contract/socket"],
      ["provisioning file", "/guide/provisioning"],
    ] as const) {
      assert.equal(found(query)[0]?.to, to, query);
    }
  });

  it("finds Chinese texts by their words, and English ones by Chinese terms, without spaces between them", () => {
    assert.equal(found("长连接送达")[0]?.to.split("#")[0], "/guide/quickstart-bot.zh-CN");
    assert.equal(found("监控")[0]?.title, "五分钟搭建自己的服务");
    assert.ok(found("签名").some(({ to }) => to.startsWith("/guide/contract/signing")));
    assert.ok(found("卡片按钮").some(({ to }) => to.startsWith("/guide/contract/cards")));
    assert.ok(found("webhook重试").some(({ to }) => to.startsWith("/guide/contract/events")));
  });

  it("finds what code and tables say", () => {
    assert.ok(found("PORTICO_PROVISION").length > 0);
    assert.ok(found("webhook.socketHold").some(({ to }) => to.startsWith("/guide/configuration")));
  });

  it("leads to headings that are there, and gives few places of a page and few in all", () => {
    for (const { path, sections } of PAGES) {
      const text = sections.map(({ anchor }) => anchor).filter((anchor) => anchor !== "");
      assert.equal(new Set(text).size, text.length, `${path}: each heading has its own id`);
    }
    const hits = found("the");
    assert.ok(hits.length > 0 && hits.length <= 20);
    const pages = Map.groupBy(hits, ({ to }) => to.split("#")[0]);
    assert.ok([...pages.values()].every((each) => each.length <= 3));
  });

  it("has the same ids as the page that is shown", () => {
    const text = "# A `b` c\n\nfirst\n\n## A b c\n\nsecond **bold**\n\n```\ncode <b>\n```\n";
    const html = renderGuide(text, "x");
    const hit = searchTexts([{ path: "/guide/x", title: "A b c", sections: sectionsOf(text) }], "bold");
    assert.equal(hit[0]?.to, "/guide/x#a-b-c-1");
    assert.ok(html.includes('id="a-b-c-1"'));
  });

  it("gives nothing for nothing, and takes every sign as it stands", () => {
    assert.deepEqual(found("   "), []);
    for (const query of ["(", "[a-z]+", "\\", "$(five)", "*".repeat(100), "a ".repeat(50), "\ud83d"]) found(query);
    assert.equal(wordsOf("a ".repeat(50)).length, 8);
  });
});

describe("an excerpt", () => {
  const shown = (text: string, query: string) =>
    excerptOf(text, wordsOf(query))
      .map((part) => (part.marked ? `[${part.text}]` : part.text))
      .join("");

  it("shows the words around what is sought, marked as they are written", () => {
    assert.equal(shown("A Bot replies.", "bot"), "A [Bot] replies.");
    const long = `${"before ".repeat(30)}the needle ${"after ".repeat(60)}`;
    assert.match(shown(long, "needle"), /^…(?:before )+the \[needle\] after .*…$/);
  });

  it("shows the beginning where the words are in the title alone", () => {
    assert.equal(shown("Some text.", "needle"), "Some text.");
  });
});
