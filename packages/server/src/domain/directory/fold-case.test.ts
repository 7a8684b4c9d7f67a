import assert from "node:assert/strict";
import { test } from "node:test";
import { foldCase } from "./fold-case.ts";

test("folds each character as Unicode's simple case folding does", () => {
  const byFolded = new Map<string, string[]>();
  const cased: string[] = [];
  for (let point = 0; point <= 0x1_ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    const folded = foldCase(character);
    assert.equal(Array.from(folded).length, 1, character);
    byFolded.set(folded, [...(byFolded.get(folded) ?? []), character]);
    if (folded !== character || character.toLowerCase() !== character || character.toUpperCase() !== character)
      cased.push(character);
  }
  assert.ok(cased.length > 2_000);
  // An engine of regular expressions compares by simple case folding when it ignores case.
  const all = cased.join("");
  for (const group of byFolded.values()) {
    const [first = ""] = group;
    if (group.length === 1 && !cased.includes(first)) continue;
    const same = all.match(new RegExp(first, "giu")) ?? [];
    assert.deepEqual(same.toSorted(), group.toSorted(), first);
  }
});

test("folds texts character by character", () => {
  assert.equal(foldCase("Müller-ΣΣς+𐐀"), foldCase("mÜLLER-σςΣ+𐐨"));
  assert.equal(foldCase("\u212aelvin"), "kelvin");
  assert.notEqual(foldCase("straße"), foldCase("strasse"));
  assert.notEqual(foldCase("ı"), foldCase("i"));
});
