import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { indexedGrams, sqliteMatch } from "./search-grams.ts";

/** The words of the index without the beginning of each, which stands for the scope. */
function wordsOf(text: string): string[] {
  const words = indexedGrams("scope", [text]).split(" ");
  const scope = words[0]?.slice(0, 6) ?? "";
  return words.map((word) => {
    assert.ok(word.startsWith(scope));
    return word.slice(6);
  });
}

test("each character begins a gram, small letters stand for capitals, and each gram is there once", () => {
  assert.deepEqual(wordsOf("Abab"), ["aba", "bab", "ab\uE01F", "b\uE01F\uE01F"]);
});

test("a character outside of the basic plane counts as one, and what is no part of words is replaced", () => {
  assert.deepEqual(wordsOf("a 😀"), ["a\uE020😀", "\uE020😀\uE01F", "😀\uE01F\uE01F"]);
});

test("nothing is indexed of an empty text, or of what is no text", () => {
  assert.equal(indexedGrams("scope", ["", null, 7]), "");
});

test("every part of a text is found by the words of the index", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(), fc.nat(), (text, first, length) => {
      const characters = [...text];
      const from = first % characters.length;
      const keyword = characters.slice(from, from + 1 + (length % 8)).join("");
      const words = indexedGrams("scope", [text]).split(" ");
      for (const sought of sqliteMatch("scope", keyword).split(" AND ")) {
        const [, word = "", isBeginning] = /^"(.*)"(\*)?$/su.exec(sought) ?? [];
        assert.ok(isBeginning ? words.some((one) => one.startsWith(word)) : words.includes(word), sought);
      }
    }),
  );
});
