import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { SlicedJson } from "./sliced-json.ts";

/** What parsing has resulted in: the value with the order of its keys, or null when it is not JSON. */
function outcomeOf(parse: () => unknown): string | null {
  try {
    return JSON.stringify([parse()], (_key, value) => (Object.is(value, -0) ? "-0" : value));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Parses as slowly as possible. */
function sliced(text: string): unknown {
  const json = new SlicedJson(text);
  while (!json.parse(() => false));
  return json.value;
}

function assertSame(text: string): void {
  assert.equal(
    outcomeOf(() => sliced(text)),
    outcomeOf(() => JSON.parse(text)),
    text,
  );
}

describe("JSON in slices", () => {
  test("is what JSON.parse makes of any value", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"), (json, space) =>
        assertSame(JSON.stringify(JSON.parse(json), null, space)),
      ),
    );
  });
  test("is refused where JSON.parse refuses it, whatever is changed in it", () => {
    const signs = fc.constantFrom(...'[]{},:"\\ \t\n\r0123456789-+.eEaubnrtfls/x\u0000\u001f\u007f\u2028\ufeff');
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.nat(3),
        fc.array(signs, { maxLength: 3 }),
        (json, at, cut, put) => {
          const from = at % (json.length + 1);
          assertSame(json.slice(0, from) + put.join("") + json.slice(from + cut));
        },
      ),
      { numRuns: 2_000 },
    );
  });
  test("has the numbers, texts and keys of JSON.parse", () => {
    for (const text of [
      ...[
        "0",
        "-0",
        "-",
        "00",
        "01",
        "1.",
        ".5",
        "1e",
        "1e5",
        "-1.5E-300",
        "1e400",
        "123456789012345678901",
        "+1",
        "0x1",
      ],
      ...['""', '"\\u00e9\\ud800"', '"\\u12"', '"\\x"', '"\\"', '"\n"', '"\u007f\u2028"', '"a', '"\\\\"', "'a'"],
      ...['{"__proto__":{"a":1},"b":2}', '{"__proto__":1,"__proto__":2}', '{"b":1,"a":2,"b":3,"2":4,"1":5,"-1":6}'],
      ...[
        '{"constructor":1,"toString":2}',
        '{"a":1,}',
        "{,}",
        "[,]",
        "[1,]",
        "[1 2]",
        '{"a"}',
        '{"a":}',
        "{a:1}",
        "{1:2}",
      ],
      ...[
        "",
        " ",
        "nul",
        "nullx",
        "true false",
        "[",
        "{",
        "[}",
        "{]",
        "[[]]]",
        " [ ] ",
        '{ "a" : [ { } , [ ] ] }',
        "\ufeff1",
      ],
    ])
      assertSame(text);
    const value = sliced('{"__proto__":{"polluted":1}}');
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.keys(Object(value)), ["__proto__"]);
  });
  test("may be as deep as it is long", () => {
    const depth = 130_000;
    let inner = sliced(`${"[".repeat(depth)}7${"]".repeat(depth)}`);
    for (let level = 0; level < depth; level++) [inner] = Array.isArray(inner) ? inner : [];
    assert.equal(inner, 7);
    assert.throws(() => sliced("[".repeat(depth)), SyntaxError);
  });
  test("stops when there is no time, and goes on where it stopped", () => {
    const json = new SlicedJson(JSON.stringify(Array.from({ length: 1_000 }, (_, n) => n)));
    let slices = 1;
    for (; !json.parse(() => false); slices++) assert.equal(json.value, undefined);
    assert.ok(slices > 20 && slices < 40, `${slices} slices`);
    assert.deepEqual(
      json.value,
      Array.from({ length: 1_000 }, (_, n) => n),
    );
  });
});
