import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { act } from "react";
import { cardOf } from "./support/cards.ts";
import { renderElements } from "./support/render.tsx";

/** Markdown, and what of it is not drawn as it asks to be. */
describe("markdown", () => {
  for (const [name, content, html] of [
    ["bold beside Chinese punctuation", "请于**「今天」**前确认", "<p><strong>「今天」</strong></p>"],
    ["a line break", "a\nb", "<p><br></p>"],
    ["a colour by its name", "<font color='red'>x</font>", '<p><span data-color="red">x</span></p>'],
    ["a colour by its name and shade", '<font color="blue-500">x</font>', '<p><span data-color="blue">x</span></p>'],
    ["a colour that is none", "<font color='url(https://a.test)'>x</font>", "<p><span>x</span></p>"],
    ["a tag that does not end", "<font color='red'>x", '<p><span data-color="red">x</span></p>'],
    ["an end without a beginning", "x</font>", "<p></p>"],
  ] as const) {
    test(name, async (t) => {
      const card = await renderElements(t, [{ tag: "markdown", content }]);
      const paragraph = card.one("markdown").querySelector("p");
      const drawn = paragraph?.outerHTML.replace(/ (?:dir|class)="[^"]*"/g, "") ?? "";
      const expected = html.replace(/<\/?p>/g, "");
      assert.ok(expected === "" ? !drawn.includes("span") : drawn.includes(expected), drawn);
    });
  }
  for (const tag of [
    "<b>x</b>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<style>*{}</style>",
    "<!-- -->",
  ]) {
    test(`${tag} is text`, async (t) => {
      const card = await renderElements(t, [{ tag: "markdown", content: `a ${tag} b` }]);
      assert.equal(card.one("markdown").textContent, `a ${tag} b`);
    });
  }
  for (const behind of ["”", "…", "—", "谢谢", "です", "。", ")", "**"]) {
    test(`an address ends before ${behind}`, async (t) => {
      const card = await renderElements(t, [{ tag: "markdown", content: `见https://a.test/x_(1)${behind}` }]);
      assert.equal(card.one("markdown").querySelector("a")?.textContent, "https://a.test/x_(1)");
    });
  }
  for (const address of [
    "javascript:alert(1)",
    "data:text/html,x",
    "about:blank",
    "file:///etc/passwd",
    "//a.test",
    "/x",
    "x:y",
  ]) {
    test(`a link to ${address} keeps its words alone`, async (t) => {
      const card = await renderElements(t, [
        { tag: "markdown", content: `[words](${address}) <link url='${address}'>more</link>` },
      ]);
      assert.equal(card.one("markdown").textContent, "words more");
      assert.equal(card.root.querySelector("a"), null);
    });
  }
  test("a link opens in a page of its own that learns nothing of this one, and shows whose it is", async (t) => {
    const card = await renderElements(t, [{ tag: "markdown", content: "[bank.test](https://bank.test@evil.test/x)" }]);
    const link = card.root.querySelector("a");
    assert.equal(link?.getAttribute("title"), "evil.test");
    assert.equal(link?.getAttribute("target"), "_blank");
    assert.equal(link?.getAttribute("rel"), "noopener noreferrer");
  });
  test("a name in look-alike letters is shown in ASCII", async (t) => {
    const card = await renderElements(t, [{ tag: "markdown", content: "[x](https://аpple.test/)" }]);
    assert.equal(card.root.querySelector("a")?.getAttribute("title"), "xn--pple-43d.test");
  });
  test("a picture that is not http(s) is not fetched", async (t) => {
    const card = await renderElements(t, [{ tag: "markdown", content: "![a](data:image/png;base64,AA) ![b](x.png)" }]);
    assert.equal(card.root.querySelector("img"), null);
  });
  test("a link whose host is longer than any there is keeps its words alone", async (t) => {
    const card = await renderElements(t, [{ tag: "markdown", content: `[words](https://${"a.".repeat(1000)}test/)` }]);
    assert.equal(card.one("markdown").textContent, "words");
    assert.equal(card.root.querySelector("a"), null);
  });
  test("a wide table scrolls", async (t) => {
    const row = (cell: string, columns: number) => `|${`${cell}|`.repeat(columns)}`;
    const table = (columns: number) => ({
      tag: "markdown",
      content: [row("a", columns), row("-", columns), row("b", columns)].join("\n"),
    });
    const card = await renderElements(t, [table(3), table(30)]);
    const scrolls = card.all("markdown").map((one) => one.querySelector("table")?.closest("[data-scrolls]") !== null);
    assert.deepEqual(scrolls, [false, true]);
  });
  test("a table whose rows name few of its columns stays as it is written", async (t) => {
    const content = `|${"a|".repeat(500)}\n|${"-|".repeat(500)}\n${"b\n".repeat(900)}`;
    const card = await renderElements(t, [{ tag: "markdown", content }]);
    assert.equal(card.root.querySelector("td"), null);
    assert.match(card.root.querySelector("pre")?.textContent ?? "", /^\|a\|a/);
    await card.update(cardOf({ tag: "markdown", content: "| a | b | c |\n|---|---|---|\n| 1 |\n| 2 |" }));
    assert.equal(card.root.querySelectorAll("td").length, 6);
  });
  test("a list has room for its numbers", async (t) => {
    const card = await renderElements(t, [
      { tag: "markdown", content: "999999998. a\n1. b" },
      { tag: "markdown", content: "1. a" },
    ]);
    const rooms = [...card.root.querySelectorAll("ol")].map((list) => list.style.paddingInlineStart);
    assert.deepEqual(rooms, ["10ch", ""]);
  });
  test("a text of great length is shown as far as somebody wants to read it", async (t) => {
    const card = await renderElements(t, [{ tag: "markdown", content: "x".repeat(65_536) }]);
    assert.ok((card.one("markdown").textContent ?? "").length < 5000);
    card.one("markdown").querySelector("button")?.focus();
    await act(async () => card.one("markdown").querySelector("button")?.click());
    assert.ok(card.one("markdown").contains(document.activeElement), "the focus stays with the text");
    assert.equal(card.one("markdown").textContent?.length, 65_536);
  });
});
