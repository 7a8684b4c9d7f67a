import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cardSummary } from "../src/index.ts";
import { cardOf } from "./support/cards.ts";

const text = { tag: "text", content: "First" };

describe("the line that stands for a card", () => {
  for (const [name, card, line] of [
    [
      "config.summary.content",
      { ...cardOf(text), config: { summary: { content: "Sum" } }, header: { title: "T" } },
      "Sum",
    ],
    ["else the header's title", { ...cardOf(text), config: { summary: {} }, header: { title: { content: "T" } } }, "T"],
    ["else the first text", cardOf({ tag: "hr" }, { tag: "form", elements: [text] }), "First"],
    [
      "of Markdown its words",
      cardOf({ tag: "markdown", content: "# **Build** <font color='red'>12</font>\n[failed](https://a.test)" }),
      "Build 12 failed",
    ],
    [
      "of whom it mentions the name",
      cardOf({ tag: "markdown", content: "<at id=u_1 name='Ann'></at> and <person id='u_2'></person>" }),
      "@Ann and @u_2",
    ],
    ["of a table its header", cardOf({ tag: "table", rows: [["Name", "Time"]] }), "Name Time"],
    ["on one line", cardOf({ tag: "text", content: " a \n\n b\tc " }), "a b c"],
    ["nothing of a card without a text", cardOf({ tag: "hr" }), ""],
    ["nothing of what is no card", "card", ""],
  ] as const) {
    test(name, () => assert.equal(cardSummary(card, "en-US"), line));
  }
  test("in the reader's language", () => {
    const title = { content: "Content", i18n: { en_us: "English" } };
    const card = { ...cardOf(), config: { locales: ["en_us"] }, header: { title } };
    assert.equal(cardSummary(card, "en-US"), "English");
    assert.equal(cardSummary(card, "zh-CN"), "Content");
  });
  test("120 characters at most, without half a character", () => {
    const line = cardSummary(cardOf({ tag: "text", content: `${"x".repeat(119)}😀😀` }), "en-US");
    assert.equal(line, `${"x".repeat(119)}…`);
  });
});
