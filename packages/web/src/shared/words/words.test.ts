import assert from "node:assert/strict";
import { glob } from "node:fs/promises";
import { resolve } from "node:path";
import { before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

const SOURCE = resolve(import.meta.dirname, "../..");

/** What a text has to be filled in with. */
const BLANKS = /\{\{(\w+)\}\}/g;

/** As much of a browser as the languages need to be declared. */
const BROWSER = {
  matchMedia: () => ({ matches: false, addEventListener() {} }),
  addEventListener() {},
  document: { documentElement: { dataset: {}, lang: "" } },
};

describe("the words of the pages", () => {
  let english: Readonly<Record<string, Readonly<Record<string, string>>>>;
  let chinese: typeof english;

  before(async () => {
    Object.assign(globalThis, BROWSER);
    for await (const file of glob(["**/*words.ts", "shared/words/shared.ts"], { cwd: SOURCE })) {
      await import(pathToFileURL(resolve(SOURCE, file)).href);
    }
    const { definedTexts } = await import("./words.ts");
    english = definedTexts("en-US");
    chinese = definedTexts("zh-CN");
  });

  it("each feature has the same keys in both languages", () => {
    assert.ok(Object.keys(english).length >= 3);
    assert.deepEqual(keysOf(chinese), keysOf(english));
  });

  it("no text is empty", () => {
    for (const texts of [english, chinese]) {
      const empty = keysOf(texts).filter((key) => textOf(texts, key).trim() === "");
      assert.deepEqual(empty, []);
    }
  });

  it("a text has the same blanks to fill in, in both languages", () => {
    const differing = keysOf(english).filter((key) => {
      const [one, other] = [english, chinese].map((texts) => blanksOf(textOf(texts, key)));
      return JSON.stringify(one) !== JSON.stringify(other);
    });
    assert.deepEqual(differing, []);
  });

  it("Chinese sentences end with Chinese marks", () => {
    const foreign = keysOf(chinese).filter((key) => /[\p{Script=Han}][,.;?!](?:\s|$)/u.test(textOf(chinese, key)));
    assert.deepEqual(foreign, []);
  });
});

/** "feature.key", sorted. */
function keysOf(texts: Readonly<Record<string, Readonly<Record<string, string>>>>): string[] {
  return Object.entries(texts)
    .flatMap(([feature, words]) => Object.keys(words).map((key) => `${feature}.${key}`))
    .sort();
}

function textOf(texts: Readonly<Record<string, Readonly<Record<string, string>>>>, key: string): string {
  const end = key.indexOf(".");
  return texts[key.slice(0, end)]?.[key.slice(end + 1)] ?? "";
}

function blanksOf(text: string): string[] {
  return [...new Set([...text.matchAll(BLANKS)].map(([, name]) => name ?? ""))].sort();
}
