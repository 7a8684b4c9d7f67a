import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { itemSpans, memberSpans, memberText } from "./json-member.ts";

test("memberText finds what JSON.parse finds, exactly as it was written", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.string(), fc.constantFrom("", " ", "\n\t"), (value, name, space) => {
      const key = JSON.stringify(name);
      const json = `{${space}"x":[1,{"y":"}"}],${key}:0${space},${key}${space}:${space}${value}${space}}${space}`;
      assert.equal(memberText(json, name), value);
    }),
  );
  assert.equal(memberText('{"\\u0063ontent":{"a":"}]"}}', "content"), '{"a":"}]"}');
  assert.equal(memberText("{}", "content"), null);
});

test("members and items stand where JSON.parse finds them", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), (object, items) => {
      for (const space of [0, 2]) {
        const json = JSON.stringify(object, null, space);
        const members = [...memberSpans(json)].map(([name, { from, to }]) => [name, JSON.parse(json.slice(from, to))]);
        assert.deepEqual(Object.fromEntries(members), JSON.parse(json));
        const list = ` ${JSON.stringify(items, null, space)}`;
        assert.deepEqual(
          itemSpans(list).map(({ from, to }) => JSON.parse(list.slice(from, to))),
          JSON.parse(list),
        );
      }
    }),
  );
});

test("any nesting depth works", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  assert.equal(memberText(`{"a":${deep}}`, "a"), deep);
});

test("a text that ends in backslashes ends where it does", () => {
  for (const text of ['"\\\\"', '"\\""', '"a\\\\\\""', '""']) {
    assert.equal(memberText(`{"a":${text},"b":1}`, "b"), "1");
    assert.equal(memberText(`{"a":${text},"b":1}`, "a"), text);
  }
});
