import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { fillTemplate, readTemplate } from "./template.ts";

describe("fillTemplate", () => {
  test("replaces names by their values, and keeps a name without value", () => {
    assert.equal(fillTemplate("at most {max} of {what}", { max: 3 }), "at most 3 of {what}");
  });
  test("inserts a value unchanged: braces and dollars have no meaning", () => {
    assert.equal(fillTemplate("{a}{b}", { a: "{b}", b: "$&" }), "{b}$&");
  });
  test("ignores inherited names", () => {
    assert.equal(fillTemplate("{constructor}", {}), "{constructor}");
  });
});

describe("readTemplate", () => {
  test("finds the values", () => {
    assert.deepEqual(readTemplate("订阅{eventType}需要{scope}", "订阅a需要b"), { eventType: "a", scope: "b" });
    assert.deepEqual(readTemplate("{field}不能为空", "content.text不能为空"), { field: "content.text" });
    assert.deepEqual(readTemplate("fixed", "fixed"), {});
  });
  test("does not match other texts", () => {
    for (const [template, text] of [
      ["fixed", "fixed "],
      ["{field}不能为空", "不能为"],
      ["a{x}b", "ac"],
      ["a{x}a", "a"],
      ["a{x}b{y}c", "a b c d"],
    ] as const) {
      assert.equal(readTemplate(template, text), null, template);
    }
  });
  test("fillTemplate restores the text from the found values", () => {
    const word = fc.constantFrom("", "a", "b", "ab", "{", "不");
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 4 }),
        fc.array(fc.string(), { minLength: 4, maxLength: 4 }),
        (words, values) => {
          const template = words.map((text, index) => `${text.replace("{", "(")}{p${index}}`).join("");
          const params = Object.fromEntries(values.map((value, index) => [`p${index}`, value]));
          const filled = fillTemplate(template, params);
          const read = readTemplate(template, filled);
          assert.ok(read !== null);
          assert.equal(fillTemplate(template, read), filled);
        },
      ),
    );
  });
});
