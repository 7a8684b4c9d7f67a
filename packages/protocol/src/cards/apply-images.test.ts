import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyImages } from "./apply-images.ts";
import { checkCard, validateCard } from "./check-card.ts";
import { cardOf } from "./testing/build-card.ts";

const addresses = new Map([
  ["file_1", "https://files/1"],
  ["__proto__", "https://files/proto"],
  ["toString", "https://files/to-string"],
]);

/** The text of a card with the addresses of its images. */
function applied(json: string): string {
  const card = JSON.parse(json);
  assert.equal(checkCard(card).failure, null);
  return applyImages(json, card, addresses);
}

/** The value of that text. */
function appliedTo(card: unknown): unknown {
  return JSON.parse(applied(JSON.stringify(card)));
}

/** The text of a card with these components. */
function textOf(elements: string): string {
  return `{"schema":"2.0","body":{"elements":[${elements}]}}`;
}

describe("images in a card", () => {
  test("a resolved key becomes img_url, beside the img_key", () => {
    assert.deepEqual(
      appliedTo(
        cardOf({ tag: "img", img_key: "file_1", alt: "x" }, { tag: "image", img_url: null, img_key: "file_1" }),
      ),
      cardOf(
        { tag: "img", img_key: "file_1", alt: "x", img_url: "https://files/1" },
        { tag: "image", img_url: "https://files/1", img_key: "file_1" },
      ),
    );
  });
  test("a key that is a URL becomes img_url unchanged", () => {
    assert.deepEqual(
      appliedTo(cardOf({ tag: "img", img_key: "https://a/b.png" })),
      cardOf({ tag: "img", img_key: "https://a/b.png", img_url: "https://a/b.png" }),
    );
  });
  test("images in children are found; those in later child fields are ignored", () => {
    const image = { tag: "img", img_key: "file_1" };
    const done = { ...image, img_url: "https://files/1" };
    const around = (inner: unknown, other: unknown) =>
      cardOf({ tag: "column_set", columns: [{ tag: "column", elements: [{ tag: "hr" }, inner], actions: [other] }] });
    assert.deepEqual(appliedTo(around(image, image)), around(done, image));
    const parent = { tag: "img", img_key: "file_1", elements: [image] };
    assert.deepEqual(appliedTo(cardOf(parent)), cardOf({ ...done, elements: [done] }));
  });
  test("an image with an address is left alone", () => {
    const json = JSON.stringify(cardOf({ tag: "img", url: "https://a", img_key: "file_1" }, { tag: "form" }));
    assert.equal(applied(json), json);
  });
  test("nothing else of the text changes: blanks, numbers, order, escapes", () => {
    const before =
      '{ "tag" : "img",\n "10": 1.50, "2": [-0, 1e400, 9223372036854775808], "img_key" : "file_1", "t": "\\u0041" }';
    const after = before.replace(/ }$/, ' ,"img_url":"https://files/1"}');
    const text = (image: string) => `{"header":{"1":1,"0":1.0},${textOf(`{"tag":"hr"}, ${image}`).slice(1)}`;
    assert.equal(applied(text(before)), text(after));
  });
  test("of repeated keys the last one counts, and all of them stay", () => {
    for (const [before, after] of [
      ['{"tag":"hr","tag":"img","img_key":5,"img_key":"file_1"}', ',"img_url":"https://files/1"}'],
      ['{"img_url":"https://a","tag":"img","img_key":"file_1", "img_url":null}', null],
      ['{"tag":"form","elements":[{"tag":"img"}],"elements":[{"tag":"img","img_key":"file_1"}]}', null],
    ] as const) {
      const json = textOf(before);
      const text = applied(json);
      if (after !== null) assert.equal(text, textOf(before.slice(0, -1) + after));
      const { elements } = JSON.parse(text).body;
      assert.equal((elements[0].elements ?? elements)[0].img_url, "https://files/1");
      assert.equal(text.replace(/,"img_url":"https:..files.1"/, "").replace('"https://files/1"', "null"), json);
    }
    const body =
      '{"schema":"2.0","body":{"elements":[{"tag":"img"}]},"body":{"elements":5,"elements":[{"tag":"img","img_key":"file_1"}]}}';
    assert.equal(applied(body), body.replace('"file_1"', '"file_1","img_url":"https://files/1"'));
  });
  test("names and texts in the text mislead nobody", () => {
    for (const image of [
      '{"tag":"img","t":"\\"}]}]},\\\\","img_key":"file_1"}',
      '{"a":{"img_url":"https://evil","tag":"hr"},"tag":"img","img_key":"file_1"}',
      '{"\\u0074ag":"i\\u006dg","\\u0069mg_key":"file\\u005f1"}',
      '{"tag":"img","x":["img_url",{"img_key":"file_2"}],"img_key":"file_1","elements":null}',
    ]) {
      const before = textOf(`{"tag":"hr","x":"[{"},${image},{"tag":"note","content":"}"}`);
      const after = textOf(
        `{"tag":"hr","x":"[{"},${image.slice(0, -1)},"img_url":"https://files/1"},{"tag":"note","content":"}"}`,
      );
      assert.equal(applied(before), after);
    }
    const escaped = textOf('{"tag":"img","\\u0069mg_url":null,"img_key":"file_1"}');
    assert.equal(applied(escaped), escaped.replace("null", '"https://files/1"'));
  });
  test("keys such as __proto__ are preserved", () => {
    const json =
      '{"__proto__":{"x":1},"schema":"2.0","body":{"__proto__":[],"elements":[{"tag":"form","__proto__":{"tag":"div"},"elements":[{"__proto__":{"img_url":"https://evil"},"constructor":{"prototype":{}},"tag":"img","img_key":"__proto__"},{"tag":"img","img_key":"toString"}]}]}}';
    assert.deepEqual(
      validateCard(JSON.parse(json)).images.map(({ imgKey }) => imgKey),
      ["__proto__", "toString"],
    );
    const expected = json
      .replace('"img_key":"__proto__"', '"img_key":"__proto__","img_url":"https://files/proto"')
      .replace('"img_key":"toString"', '"img_key":"toString","img_url":"https://files/to-string"');
    assert.equal(applied(json), expected);
    assert.equal(Object.hasOwn(Object.prototype, "x"), false);
  });
  test("inherited members of an element are ignored", () => {
    const inherited = { img_url: "https://evil", elements: [{ tag: "div" }], tag: "div" };
    const element = Object.assign(Object.create(inherited), { tag: "img", img_key: "file_1" });
    assert.equal(validateCard(cardOf(element)).images.length, 1);
    assert.throws(() => validateCard(Object.create(cardOf())), { message: "仅支持schema为2.0的卡片" });
  });
  test("an unresolved key is a programming error", () => {
    assert.throws(() => appliedTo(cardOf({ tag: "img", img_key: "file_2" })), /"file_2"/);
    assert.throws(() => applyImages("{}", { schema: "2.0" }, addresses), /not been checked/);
  });
});
