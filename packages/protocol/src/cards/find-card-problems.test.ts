import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { closestTag } from "./closest-tag.ts";
import { findCardProblems, MAX_CARD_FINDINGS } from "./find-card-problems.ts";
import { cardOf, nestedForms } from "./testing/build-card.ts";

const hr = { tag: "hr" };
const rulesOf = (card: unknown) => findCardProblems(card).map(({ pointer, rule }) => `${rule} ${pointer}`);

describe("findings", () => {
  test("a valid card has none", () => assert.deepEqual(findCardProblems(cardOf(hr)), []));
  test("a finding has the pointer, the rule, the service's message, and a suggestion", () => {
    assert.deepEqual(findCardProblems(cardOf(hr, { tag: "form", elements: [{ tag: "markdwon" }] })), [
      {
        pointer: "/body/elements/1/elements/0/tag",
        rule: "component-tag",
        message: "不支持的卡片组件: markdwon",
        suggestion: 'Did you mean "markdown"?',
      },
    ]);
  });
  test("the size is that of the compact text: numbers as they are spelled, blanks and escapes not", () => {
    const size = (card: unknown, json?: string) => findCardProblems(card, json).map(({ rule }) => rule);
    const spelled = `{"schema":"2.0","body":{"elements":[]},"n":1.${"0".repeat(65_536)}}`;
    assert.deepEqual(size(JSON.parse(spelled)), []);
    assert.deepEqual(size(JSON.parse(spelled), spelled), ["size"]);
    const blank = `{ "schema":"2.0",${" \n".repeat(40_000)}"body":{"elements":[]}, "t": "${"\\u4e2d".repeat(20_000)}"}`;
    assert.deepEqual(size(JSON.parse(blank), blank), []);
    const large = { ...cardOf(hr), header: "x".repeat(65_536) };
    assert.deepEqual(size(large), ["size"]);
    assert.deepEqual(size(large, JSON.stringify(large)), ["size"]);
  });
  test("all are found in one pass: structure in document order, size, image keys in document order", () => {
    const card = {
      schema: 2,
      header: "x".repeat(65_536),
      body: {
        elements: [
          { tag: "img" },
          5,
          { tag: "div", url: "x", src: 5, action: { url: "" }, elements: [{ tag: "img", img_url: "x" }] },
          { tag: "img", elements: { tag: "hr" } },
          nestedForms(9, { tag: "div" }),
        ],
      },
    };
    assert.deepEqual(rulesOf(card), [
      "schema /schema",
      "component-object /body/elements/1",
      "component-tag /body/elements/2/tag",
      "link /body/elements/2/url",
      "link /body/elements/2/src",
      "link /body/elements/2/action/url",
      "link /body/elements/2/elements/0/img_url",
      "child-array /body/elements/3/elements",
      `depth /body/elements/4${"/elements/0".repeat(8)}/elements`,
      "size ",
      "image-key /body/elements/0/img_key",
      "image-key /body/elements/3/img_key",
    ]);
  });
  test("an incomplete envelope is reported as far as it goes", () => {
    for (const card of [undefined, null, "x".repeat(70_000), []]) assert.deepEqual(rulesOf(card), ["schema "]);
    assert.deepEqual(rulesOf({}), ["schema /schema", "body /body"]);
    assert.deepEqual(rulesOf({ body: {} }), ["schema /schema", "body-elements /body/elements"]);
  });
  test("too many components are one finding, and those beyond are still checked", () => {
    const card = cardOf(...Array.from({ length: 250 }, () => hr), { tag: "div" });
    assert.deepEqual(rulesOf(card), ["component-count /body/elements/200", "component-tag /body/elements/250/tag"]);
  });
  test("there are at most 100, the first ones", () => {
    const card = { schema: "2.0", body: { elements: Array.from({ length: 150_000 }, () => 5) } };
    assert.equal(MAX_CARD_FINDINGS, 100);
    assert.deepEqual(
      rulesOf(card),
      Array.from({ length: 100 }, (_, index) => `component-object /body/elements/${index}`),
    );
  });
  test("when there are more than 100, image keys are left out first", () => {
    const images = Array.from({ length: 150 }, () => ({ tag: "img" }));
    assert.deepEqual(rulesOf({ ...cardOf(...images, { tag: "div" }), header: "x".repeat(65_536) }), [
      "component-tag /body/elements/150/tag",
      "size ",
      ...Array.from({ length: 98 }, (_, index) => `image-key /body/elements/${index}/img_key`),
    ]);
  });
  test("a container that is nested too deep is one finding, whatever its content", () => {
    assert.deepEqual(rulesOf(cardOf(nestedForms(100_000))).slice(0, 1), [
      `depth /body/elements/0${"/elements/0".repeat(8)}/elements`,
    ]);
  });
});

describe("suggestions", () => {
  for (const [card, expected] of [
    ["{}", "not as text"],
    [[], "A card is a JSON object"],
    [{ schema: 2, body: { elements: [] } }, '"schema": "2.0"'],
    [{ card: cardOf() }, 'under "card" itself'],
    [{ header: {}, elements: [] }, "cards of other versions"],
    [{ schema: "2.0", elements: [] }, 'into "body"'],
    [{ schema: "2.0" }, 'Add "body"'],
    [{ schema: "2.0", body: {} }, "write [] when there are none"],
    [cardOf("text"), '"tag": "markdown"'],
    [cardOf([hr]), "inner array"],
    [cardOf(null), "Leave it out"],
    [cardOf({ text: "x" }), 'a "tag"'],
    [cardOf({ tag: "table", columns: [{ name: "a" }] }), '"tag": "text"'],
    [cardOf({ tag: "table", columns: [{ name: "a", tag: "number" }], rows: [{ a: 1 }] }), '"rows"'],
    [cardOf({ tag: "table", columns: ["Name"] }), '"rows"'],
    [cardOf({ tag: "div" }), '"text.content"'],
    [cardOf({ tag: "repeat" }), "not filled in"],
    [cardOf({ tag: "flux_capacitor" }), "no such component"],
    [cardOf({ tag: "button", url: 5 }), "as text"],
    [cardOf({ tag: "button", url: "" }), "null"],
    [cardOf({ tag: "button", url: "HTTPS://a" }), "lower case"],
    [cardOf({ tag: "button", url: " https://a" }), "blanks"],
    [cardOf({ tag: "button", url: "mailto:a@b" }), "Only http"],
    [cardOf({ tag: "button", url: "example.com:8080/x" }), "beginning with https://"],
    [cardOf({ tag: "button", url: "/path" }), "beginning with https://"],
    [cardOf({ tag: "img" }), "/api/open/v2/bot/files"],
    [cardOf({ tag: "form", elements: hr }), "[{...}]"],
    [cardOf({ tag: "form", elements: 5 }), "array of components"],
    [cardOf(nestedForms(9)), "further out"],
    [{ ...cardOf(hr), header: "字".repeat(30_000) }, "90063 bytes"],
    [cardOf(...Array.from({ length: 201 }, () => hr)), "component 201"],
  ] as const) {
    test(`${JSON.stringify(card).slice(0, 70)}: ${expected}`, () => {
      const suggestion = findCardProblems(card)[0]?.suggestion ?? "";
      assert.ok(suggestion.includes(expected), suggestion);
    });
  }
  for (const [tag, meant] of [
    ["Markdown", "markdown"],
    ["mardkown", "markdown"],
    ["selectStatic", "select_static"],
    ["multi-select-person", "multi_select_person"],
    ["buton", "button"],
    ["from", "form"],
    ["images", "image"],
    ["pickerdatetime", "picker_datetime"],
    ["column-sets", "column_set"],
    ["__proto__", undefined],
    ["toString", undefined],
    ["hq", undefined],
    ["", undefined],
    ["表格", undefined],
    ["m".repeat(50_000), undefined],
  ] as const) {
    test(`${JSON.stringify(tag.slice(0, 20))} is ${meant ? `close to ${meant}` : "close to no tag"}`, () => {
      assert.equal(closestTag(tag), meant);
    });
  }
});
