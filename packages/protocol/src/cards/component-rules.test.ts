import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkCard } from "./check-card.ts";
import { CARD_CHILD_FIELDS, CARD_LINK_FIELDS, CARD_TAGS } from "./contract.ts";
import { answerTo, assertPasses, assertRefused, cardOf } from "./testing/build-card.ts";

/** A value of every JSON type except objects and arrays. */
const SCALARS: unknown[] = [null, true, false, 0, 2, -1.5, "", "x"];
const text = { tag: "text", text: "hello" };
const LINKS = [...CARD_LINK_FIELDS, "action.url"];
const withLink = (component: object, field: string, value: unknown) =>
  field === "action.url" ? { ...component, action: { url: value } } : { ...component, [field]: value };

describe("elements", () => {
  test("1. an element that is not an object", () => {
    for (const element of [...SCALARS, [], [text]]) {
      assertRefused(cardOf(element), "卡片组件必须为对象");
      assertRefused(cardOf({ tag: "form", elements: [text, element] }), "卡片组件必须为对象");
    }
  });
  for (const tag of CARD_TAGS) {
    test(`3. ${tag} is allowed`, () => assertPasses(cardOf({ tag, img_url: "https://example.com/a.png" })));
  }
  for (const tag of ["div", "Text", "text ", "", "__proto__", "toString", "constructor", "2.0"]) {
    test(`2. ${JSON.stringify(tag)} is not`, () => assertRefused(cardOf({ tag }), `不支持的卡片组件: ${tag}`));
  }
  test("2. a tag that is not a text is shown as far as possible", () => {
    assertRefused(cardOf({}), "不支持的卡片组件: null");
    assertRefused(cardOf({ tag: null }), "不支持的卡片组件: null");
    assertRefused(cardOf({ tag: 5 }), "不支持的卡片组件: 5");
    assertRefused(cardOf({ tag: true }), "不支持的卡片组件: true");
    assertRefused(cardOf({ tag: ["text"] }), "不支持的卡片组件: array");
    assertRefused(cardOf({ tag: { toString: 1 } }), "不支持的卡片组件: object");
  });
  test("2. the message shows the beginning of a long tag", () => {
    assertRefused(cardOf({ tag: "t".repeat(128) }), `不支持的卡片组件: ${"t".repeat(128)}`);
    assertRefused(cardOf({ tag: "t".repeat(129) }), `不支持的卡片组件: ${"t".repeat(128)}…`);
    assert.ok(answerTo(cardOf({ tag: "t".repeat(127) + "😀".repeat(9) }))?.isWellFormed());
  });
  test("fields that are needed only for rendering are not required", () => {
    for (const tag of CARD_TAGS.filter((tag) => tag !== "img" && tag !== "image")) assertPasses(cardOf({ tag }));
  });
});

describe("4. children", () => {
  for (const field of CARD_CHILD_FIELDS) {
    test(`are checked under ${field}, whatever the tag`, () => {
      for (const tag of ["column_set", "button", "table"]) {
        assertPasses(cardOf({ tag, [field]: [text] }));
        assertRefused(cardOf({ tag, [field]: [text, { tag: "div" }] }), "不支持的卡片组件: div");
      }
    });
    test(`${field} that is neither null nor an array is refused`, () => {
      assertPasses(cardOf({ tag: "form", [field]: null }));
      for (const value of [...SCALARS.filter((value) => value !== null), {}, text]) {
        assertRefused(cardOf({ tag: "form", [field]: value }), "卡片组件必须为对象");
      }
    });
  }
  test("only the first present child field counts: elements, columns, children, actions", () => {
    const wrong = [{ tag: "div" }];
    for (const [index, field] of CARD_CHILD_FIELDS.entries()) {
      for (const later of CARD_CHILD_FIELDS.slice(index + 1)) {
        assertPasses(cardOf({ tag: "form", [later]: wrong, [field]: [] }));
        assertRefused(cardOf({ tag: "form", [later]: [], [field]: wrong }), "不支持的卡片组件: div");
        assertRefused(cardOf({ tag: "form", [field]: null, [later]: wrong }), "不支持的卡片组件: div");
      }
    }
  });
  test("later child fields do not count as components", () => {
    const many = Array.from({ length: 300 }, () => text);
    assertPasses(cardOf({ tag: "form", elements: [text], columns: many, children: many, actions: many }));
  });
  test("the entries of a table's columns are ordinary children", () => {
    assertRefused(cardOf({ tag: "table", columns: [{ name: "a", data_type: "text" }] }), "不支持的卡片组件: null");
    assertPasses(cardOf({ tag: "table", columns: [{ tag: "text", name: "a" }] }));
    assertPasses(cardOf({ tag: "table", rows: [["a"], ["1"]] }));
  });
});

describe("5. links", () => {
  const button = { tag: "button" };
  for (const field of LINKS) {
    test(`${field}: http:// and https:// pass, absent and null too`, () => {
      for (const value of ["http://example.com", "https://例子.cn/?a=1#b", "http://", null]) {
        assertPasses(cardOf(withLink(button, field, value)));
      }
    });
    test(`${field}: other schemes are refused`, () => {
      for (const value of [
        "javascript:alert(1)",
        "ftp://a",
        "//a.example",
        "/path",
        "HTTPS://a",
        " https://a",
        "http:/a",
        "",
      ]) {
        assertRefused(cardOf(withLink(button, field, value)), "卡片链接仅支持HTTP/HTTPS地址");
      }
    });
    test(`${field}: a value that is not a text is refused`, () => {
      for (const value of [true, false, 0, 7, [], ["https://a"], {}, { url: "https://a" }]) {
        assertRefused(cardOf(withLink(button, field, value)), "卡片链接仅支持HTTP/HTTPS地址");
      }
    });
  }
  test("an action that is not an object is ignored", () => {
    for (const action of [...SCALARS, "ftp://a", ["ftp://a"], [{ url: "ftp://a" }]]) {
      assertPasses(cardOf({ tag: "button", action }));
    }
  });
  test("links in other places are ignored", () => {
    const url = "ftp://a";
    assertPasses(
      cardOf({
        tag: "button",
        href: url,
        multi_url: { url },
        behaviors: [{ url }],
        text: { url },
        action: { src: url },
      }),
    );
  });
});

describe("6. images", () => {
  for (const tag of ["img", "image"]) {
    test(`${tag} with a URL needs no img_key`, () => {
      assertPasses(cardOf({ tag, img_url: "https://a/1.png" }, { tag, url: "https://a/2.png", img_key: 5 }));
      assert.deepEqual(checkCard(cardOf({ tag, url: "https://a", img_key: "file_1" })).images, []);
    });
    test(`${tag} without one: img_key absent, null, empty or not a text`, () => {
      for (const img_key of [undefined, null, "", 0, 7, true, ["k"], { k: 1 }]) {
        assertRefused(cardOf({ tag, img_key }), "card image img_key不能为空");
        assertRefused(cardOf({ tag, img_key, img_url: null, url: null }), "card image img_key不能为空");
      }
    });
    test(`${tag} with a URL as img_key has nothing to resolve`, () => {
      assert.deepEqual(checkCard(cardOf({ tag, img_key: "http://a" }, { tag, img_key: "https://a" })).images, []);
    });
    test(`${tag} with any other img_key has to be resolved`, () => {
      for (const imgKey of ["file_1", " ", "HTTP://a", "javascript:1", "__proto__"]) {
        const { images, failure } = checkCard(cardOf(text, { tag, img_key: imgKey }));
        assert.equal(failure, null);
        assert.deepEqual(images, [{ pointer: "/body/elements/1", imgKey }]);
      }
    });
  }
  test("only img and image are images", () => assertPasses(cardOf({ tag: "img_combination" }, { tag: "icon" })));
  for (const field of LINKS) {
    test(`${field} is checked before images, those of the same component and of all others`, () => {
      for (const image of [{ tag: "img" }, { tag: "image", img_key: "" }, { tag: "img", img_key: "file_1" }]) {
        const button = withLink({ tag: "button" }, field, "ftp://a");
        for (const card of [
          cardOf(withLink(image, field, "ftp://a")),
          cardOf(withLink(image, field, "")),
          cardOf(image, button),
          cardOf(button, image),
          cardOf({ ...image, elements: [button] }),
          cardOf({ tag: "form", elements: [image] }, { tag: "form", elements: [button] }),
        ]) {
          assertRefused(card, "卡片链接仅支持HTTP/HTTPS地址");
          assert.deepEqual(checkCard(card).images, []);
        }
      }
    });
  }
  test("images to resolve are in document order; those after a missing img_key are left out", () => {
    const image = (img_key: string) => ({ tag: "img", img_key });
    const form = { tag: "form", elements: [image("b"), { ...image("c"), elements: [image("d")] }] };
    const check = checkCard(cardOf(image("a"), form, image("a"), { tag: "img", elements: [image("e")] }, image("f")));
    assert.deepEqual(check.images, [
      { pointer: "/body/elements/0", imgKey: "a" },
      { pointer: "/body/elements/1/elements/0", imgKey: "b" },
      { pointer: "/body/elements/1/elements/1", imgKey: "c" },
      { pointer: "/body/elements/1/elements/1/elements/0", imgKey: "d" },
      { pointer: "/body/elements/2", imgKey: "a" },
    ]);
    assert.equal(check.failure?.pointer, "/body/elements/3/img_key");
  });
});
