import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiError } from "../errors/index.ts";
import { checkCard, validateCard } from "./check-card.ts";
import { findCardProblems } from "./find-card-problems.ts";
import {
  assertPasses,
  assertRefused,
  cardOf,
  cardOfBytes,
  nestedColumnSets,
  nestedForms,
} from "./testing/build-card.ts";

const hr = { tag: "hr" };
const hrs = (count: number) => Array.from({ length: count }, () => hr);

describe("Card components: at most 200, counted recursively", () => {
  test("200 siblings pass, 201 fail", () => {
    assertPasses(cardOf(...hrs(200)));
    assertRefused(cardOf(...hrs(201)), "卡片组件不能超过200个");
  });
  test("a container counts 1, so does each descendant", () => {
    const columns = [
      { tag: "column", elements: hrs(99) },
      { tag: "column", elements: hrs(98) },
    ];
    assertPasses(cardOf({ tag: "column_set", columns }));
    assertRefused(cardOf({ tag: "column_set", columns }, hr), "卡片组件不能超过200个");
  });
  test("the 201st component: object and tag are checked before the count, everything else after it", () => {
    assertRefused(cardOf(...hrs(200), 5), "卡片组件必须为对象");
    assertRefused(cardOf(...hrs(200), { tag: "div" }), "不支持的卡片组件: div");
    assertRefused(cardOf(...hrs(200), { tag: "img", url: 5, elements: 5 }), "卡片组件不能超过200个");
  });
});

describe("Card nesting: the deepest allowed level is 9", () => {
  test("8 levels of form pass, 9 fail", () => {
    assertPasses(cardOf(nestedForms(8, hr)));
    assertRefused(cardOf(nestedForms(9, hr)), "卡片组件嵌套层级不能超过8");
  });
  test("4 levels of column_set pass, 5 fail", () => {
    assertPasses(cardOf(nestedColumnSets(4, hr)));
    assertRefused(cardOf(nestedColumnSets(5, hr)), "卡片组件嵌套层级不能超过8");
  });
  test("an array is a level even when it is empty, a missing one is not", () => {
    assertPasses(cardOf(nestedForms(8)));
    assertRefused(cardOf(nestedForms(9)), "卡片组件嵌套层级不能超过8");
    assertPasses(cardOf(nestedForms(8, { tag: "form" }, { tag: "form", elements: null })));
  });
  test("the deepest branch counts, not the first one", () => {
    assertPasses(cardOf(nestedForms(8, hr), hr, nestedColumnSets(4, hr)));
    assertRefused(cardOf(hr, { tag: "form", elements: [hr, nestedForms(8, hr)] }), "卡片组件嵌套层级不能超过8");
  });
  test("arrays in fields that are not validated do not count as levels", () => {
    const options = JSON.parse(`${"[".repeat(50)}${"]".repeat(50)}`);
    assertPasses(cardOf(nestedForms(8, { tag: "overflow", options })));
    assertPasses(cardOf(nestedForms(8, { tag: "form", text: { elements: [hr] } })));
  });
  test("5,000 nested containers are answered with 400006, and quickly", () => {
    const card = JSON.parse(`${'{"tag":"form","elements":['.repeat(5_000)}{}${"]}".repeat(5_000)}`);
    const begin = performance.now();
    assert.throws(
      () => validateCard(cardOf(card)),
      (error) => error instanceof ApiError && error.code === "400006" && error.message === "卡片组件嵌套层级不能超过8",
    );
    const ms = performance.now() - begin;
    assert.ok(ms < 100, `it took ${ms} ms`);
  });
  for (const levels of [10, 5_000, 100_000]) {
    test(`${levels} containers in one another are refused without going down`, () => {
      const card = cardOf(nestedForms(levels));
      assertRefused(card, "卡片组件嵌套层级不能超过8");
      const [finding, ...others] = findCardProblems(card);
      assert.equal(finding?.message, "卡片组件嵌套层级不能超过8");
      assert.ok(others.every(({ rule }) => rule === "size"));
      assertRefused(cardOf(nestedColumnSets(levels)), "卡片组件嵌套层级不能超过8");
    });
  }
});

describe("Card JSON size: 64 KiB of UTF-8", () => {
  test("65,536 bytes pass, 65,537 fail", () => {
    for (const [bytes, passes] of [
      [65_536, true],
      [65_537, false],
    ] as const) {
      const card = cardOfBytes(bytes);
      assert.equal(Buffer.byteLength(JSON.stringify(card)), bytes);
      assert.ok(JSON.stringify(card).length < 30_000, "most of it is in characters of several bytes");
      if (passes) assertPasses(card);
      else assertRefused(card, "卡片JSON不能超过64KiB");
    }
  });
  test("surrogate pairs are four bytes, lone surrogates the six of their escape", () => {
    const frame = Buffer.byteLength(JSON.stringify(cardOf({ tag: "text", text: "" })));
    for (const [character, bytes] of [
      ["😀", 4],
      ["\ud83d", 6],
      ["é", 2],
      ["\n", 2],
      ["\u0001", 6],
    ] as const) {
      const fitting = Math.floor((65_536 - frame) / bytes);
      assertPasses(cardOf({ tag: "text", text: character.repeat(fitting) }));
      assertRefused(cardOf({ tag: "text", text: character.repeat(fitting + 1) }), "卡片JSON不能超过64KiB");
    }
  });
  test("the whole card counts, not only its elements", () => {
    assertRefused({ ...cardOf(hr), header: { title: "x".repeat(65_536) } }, "卡片JSON不能超过64KiB");
  });
  test("it is checked after the structure and before images", () => {
    const long = { tag: "text", text: "x".repeat(65_536) };
    assertRefused(cardOf(long, { tag: "div" }), "不支持的卡片组件: div");
    for (const images of [[{ tag: "img" }], [{ tag: "img", img_key: "file_1" }, { tag: "img" }]]) {
      for (const card of [cardOf(...images, long), cardOf(long, ...images)]) {
        const check = checkCard(card);
        assert.equal(check.failure?.rule, "size");
        assert.deepEqual(check.images, []);
      }
    }
  });
  test("members besides components may be nested as deep as the size allows", () => {
    const frame = JSON.stringify({ ...cardOf(hr), config: 0 }).length - 1;
    const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    const levels = Math.floor((65_536 - frame) / 2);
    assert.equal(checkCard({ ...cardOf(hr), config: nested(levels) }).failure, null);
    assertRefused({ ...cardOf(hr), config: nested(levels + 1) }, "卡片JSON不能超过64KiB");
    assertRefused({ ...cardOf(hr), config: nested(1_000_000) }, "卡片JSON不能超过64KiB");
  });
});
