import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiError } from "../errors/index.ts";
import { checkCard, validateCard } from "./check-card.ts";
import { CARD_MESSAGES } from "./contract.ts";
import { assertPasses, assertRefused, cardOf, nestedForms } from "./testing/build-card.ts";

/** A value of every JSON type except objects and arrays. */
const SCALARS: unknown[] = [null, true, false, 0, 2, -1.5, "", "x"];
const text = { tag: "text", text: "hello" };
const badLink = { tag: "button", url: "ftp://example.com" };

describe("envelope", () => {
  test("schema 2.0 with an empty list of elements passes", () => assertPasses(cardOf()));
  test("a value that is not an object has no schema", () => {
    for (const card of [undefined, ...SCALARS, [], [cardOf()], JSON.stringify(cardOf())]) {
      assertRefused(card, "仅支持schema为2.0的卡片");
    }
  });
  test("schema: anything but the text 2.0", () => {
    for (const schema of [undefined, ...SCALARS, "1.0", "2", "2.0 ", "2.00", ["2.0"], {}]) {
      assertRefused({ schema, body: { elements: [] } }, "仅支持schema为2.0的卡片");
    }
  });
  test("body: anything but an object", () => {
    for (const body of [undefined, ...SCALARS, [], [{}]]) assertRefused({ schema: "2.0", body }, "card.body不能为空");
  });
  test("body.elements: anything but an array", () => {
    for (const elements of [undefined, ...SCALARS, {}, { length: 0 }]) {
      assertRefused({ schema: "2.0", body: { elements } }, "card.body.elements必须为数组");
    }
  });
  test("schema before body before body.elements before the elements", () => {
    assertRefused({ body: 1 }, "仅支持schema为2.0的卡片");
    assertRefused({ schema: "2.0", elements: [5] }, "card.body不能为空");
    assertRefused({ schema: "2.0", body: { elements: { tag: "x" } } }, "card.body.elements必须为数组");
  });
  test("other members are ignored", () => {
    assertPasses({ ...cardOf(text), header: 5, config: ["x"], card_link: { url: "javascript:1" }, elements: 7 });
    assertPasses({ schema: "2.0", body: { elements: [text], columns: [5], url: "x" } });
  });
  test("it is refused with 400 and 400006, and the pointer is logged", () => {
    assert.throws(
      () => validateCard(cardOf(text, badLink)),
      (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.status, error.code], [400, "400006"]);
        assert.equal(error.message, "卡片链接仅支持HTTP/HTTPS地址");
        assert.match(error.reason ?? "", /\/body\/elements\/1\/url/);
        return true;
      },
    );
  });
});

describe("what follows a structural error", () => {
  const untouchable = {
    get tag(): string {
      throw new Error("looked at");
    },
  };
  test("is not checked", () => {
    assertRefused(cardOf(badLink, untouchable), CARD_MESSAGES.link);
    assertRefused(cardOf({ tag: "form", elements: [5, untouchable] }, untouchable), "卡片组件必须为对象");
  });
});

describe("which rule is reported when several are broken", () => {
  const { link, depth } = CARD_MESSAGES;
  const everything = { tag: "div", url: 5, elements: 5 };
  test("within an element: tag, links, children", () => {
    assertRefused(cardOf(everything), "不支持的卡片组件: div");
    assertRefused(cardOf({ ...everything, tag: "img" }), link);
    assertRefused(cardOf({ tag: "img", elements: 5 }), "卡片组件必须为对象");
    assertRefused(cardOf({ tag: "img", elements: [5] }), "卡片组件必须为对象");
  });
  test("the first element in document order, a container before its content", () => {
    assertRefused(cardOf({ tag: "form", elements: [badLink] }, { tag: "div" }), link);
    assertRefused(cardOf({ tag: "form", url: 1, elements: [{ tag: "div" }] }), link);
  });
  test("the type of a child field before its depth", () => {
    let element: unknown = { tag: "form", elements: "x" };
    for (let level = 0; level < 8; level++) element = { tag: "form", elements: [element] };
    assertRefused(cardOf(element), "卡片组件必须为对象");
    assertRefused(cardOf(JSON.parse(JSON.stringify(element).replace('"x"', "[5]"))), depth);
  });
});

describe("images are checked when nothing else is wrong", () => {
  const missing = { tag: "img" };
  const image = { tag: "img", img_key: "file_1" };
  for (const [rule, ...elements] of [
    ["component-object", 5],
    ["component-tag", { tag: "div" }],
    ["component-count", ...Array.from({ length: 200 }, () => text)],
    ["link", badLink],
    ["child-array", { tag: "form", elements: 5 }],
    ["depth", nestedForms(9)],
    ["size", { tag: "text", text: "x".repeat(65_536) }],
  ] as const) {
    test(`${rule} takes precedence over an earlier missing img_key, and no image is resolved`, () => {
      for (const images of [[missing], [image], [image, missing]]) {
        for (const around of [images, [{ tag: "form", elements: images }]]) {
          const { failure, images: toResolve } = checkCard(cardOf(...around, ...elements));
          assert.equal(failure?.rule, rule);
          assert.deepEqual(toResolve, []);
        }
      }
    });
  }
});
