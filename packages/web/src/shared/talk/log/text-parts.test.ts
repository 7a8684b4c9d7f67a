import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { partsOf } from "./text-parts.ts";

const ann = { userId: "u_ann", name: "Ann", isBot: false };
const anna = { userId: "u_anna", name: "Anna", isBot: false };

/** The parts in short: links in angle brackets, mentions by their userId. */
function short(text: string, mentions = [ann, anna]): string {
  return partsOf(text, mentions)
    .map((part) => (part.kind === "link" ? `<${part.href}>` : part.kind === "mention" ? `[${part.userId}]` : part.text))
    .join("");
}

describe("the parts of a text", () => {
  it("a link ends before what the sentence puts after it", () => {
    assert.equal(
      short("see https://a.example/x?y=1. Or (http://b.example)!"),
      "see <https://a.example/x?y=1>. Or (<http://b.example/>)!",
    );
    assert.equal(short("见https://a.example/x。谢谢"), "见<https://a.example/x>。谢谢");
  });

  it("only http and https are links", () => {
    assert.equal(short("javascript:alert(1) ftp://x data:text/html,x"), "javascript:alert(1) ftp://x data:text/html,x");
  });

  it("the longest name that fits is the one that is mentioned", () => {
    assert.equal(short("@Anna and @Ann"), "[u_anna] and [u_ann]");
  });

  it("a longer word is no mention, but Chinese may follow at once", () => {
    const ming = { userId: "u_ming", name: "小明", isBot: false };
    assert.equal(short("@Annabel, x@Ann, @小明你好", [ann, ming]), "@Annabel, x@Ann, [u_ming]你好");
  });

  it("a name inside a link belongs to the link", () => {
    assert.equal(short("https://a.example/@Ann"), "<https://a.example/@Ann>");
  });

  it("a name with the characters of patterns is a name", () => {
    const odd = { userId: "u_odd", name: "(.*", isBot: false };
    assert.equal(short("@(.* hi @x", [odd]), "[u_odd] hi @x");
  });

  it("whatever is in it, the parts together are the text", () => {
    const text = `@Ann https://a.example ${"x".repeat(30_000)} https://b.example @Anna`;
    assert.equal(
      partsOf(text, [ann, anna])
        .map((part) => part.text)
        .join(""),
      text,
    );
  });
});
