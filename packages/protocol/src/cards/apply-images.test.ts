import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyImages } from "./apply-images.ts";
import { validateCard } from "./check-card.ts";
import { cardOf } from "./testing/build-card.ts";

const addresses = new Map([
  ["file_1", "https://files/1"],
  ["__proto__", "https://files/proto"],
  ["toString", "https://files/to-string"],
]);

/** Deep-freezes a value, so that every change throws. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(Object.freeze(value))) frozen(inner);
  return value;
}

describe("images in a card", () => {
  test("a resolved key becomes img_url, beside the img_key", () => {
    const card = frozen(
      cardOf({ tag: "img", img_key: "file_1", alt: "x" }, { tag: "image", img_url: null, img_key: "file_1" }),
    );
    assert.deepEqual(
      applyImages(card, addresses),
      cardOf(
        { tag: "img", img_key: "file_1", alt: "x", img_url: "https://files/1" },
        { tag: "image", img_url: "https://files/1", img_key: "file_1" },
      ),
    );
  });
  test("a key that is a URL becomes img_url unchanged", () => {
    assert.deepEqual(
      applyImages(cardOf({ tag: "img", img_key: "https://a/b.png" }), new Map()),
      cardOf({ tag: "img", img_key: "https://a/b.png", img_url: "https://a/b.png" }),
    );
  });
  test("images in children are found; those in later child fields are ignored", () => {
    const image = { tag: "img", img_key: "file_1" };
    const done = { ...image, img_url: "https://files/1" };
    const around = (inner: unknown, other: unknown) =>
      cardOf({ tag: "column_set", columns: [{ tag: "column", elements: [{ tag: "hr" }, inner], actions: [other] }] });
    assert.deepEqual(applyImages(frozen(around(image, image)), addresses), around(done, image));
    const parent = { tag: "img", img_key: "file_1", elements: [image] };
    assert.deepEqual(applyImages(cardOf(parent), addresses), cardOf({ ...done, elements: [done] }));
  });
  test("a card without such images is returned as the same object", () => {
    const card = cardOf(
      { tag: "img", url: "https://a", img_key: "file_1" },
      { tag: "form", elements: [{ tag: "hr" }] },
    );
    assert.equal(applyImages(card, addresses), card);
  });
  test("elements without changes are not copied", () => {
    const form = { tag: "form", elements: [{ tag: "hr" }] };
    const { elements } = Object(applyImages(cardOf(form, { tag: "img", img_key: "file_1" }), addresses).body);
    assert.equal(elements[0], form);
  });
  test("keys such as __proto__ are preserved", () => {
    const json =
      '{"__proto__":{"x":1},"schema":"2.0","body":{"__proto__":[],"elements":[{"tag":"form","__proto__":{"tag":"div"},"elements":[{"__proto__":{"img_url":"https://evil"},"constructor":{"prototype":{}},"tag":"img","img_key":"__proto__"},{"tag":"img","img_key":"toString"}]}]}}';
    const card = JSON.parse(json);
    assert.deepEqual(
      validateCard(card).images.map(({ imgKey }) => imgKey),
      ["__proto__", "toString"],
    );
    const expected = json
      .replace('"img_key":"__proto__"', '"img_key":"__proto__","img_url":"https://files/proto"')
      .replace('"img_key":"toString"', '"img_key":"toString","img_url":"https://files/to-string"');
    assert.equal(JSON.stringify(applyImages(card, addresses)), expected);
    assert.equal(JSON.stringify(card), json);
    assert.equal(Object.hasOwn(Object.prototype, "x"), false);
  });
  test("inherited members of an element are ignored", () => {
    const inherited = { img_url: "https://evil", elements: [{ tag: "div" }], tag: "div" };
    const element = Object.assign(Object.create(inherited), { tag: "img", img_key: "file_1" });
    assert.equal(validateCard(cardOf(element)).images.length, 1);
    assert.throws(() => validateCard(Object.create(cardOf())), { message: "仅支持schema为2.0的卡片" });
  });
  test("an unresolved key is a programming error", () => {
    assert.throws(() => applyImages(cardOf({ tag: "img", img_key: "file_2" }), addresses), /"file_2"/);
    assert.throws(() => applyImages({ schema: "2.0" }, addresses), /not been checked/);
  });
});
