import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import VECTORS from "../vectors/signature.json" with { type: "json" };
import { canonicalQuery, canonicalString, MalformedQueryError } from "./canonical.ts";
import { sha256Hex } from "./signature.ts";

const vectors = VECTORS.request;

/** The canonical form, or null for a malformed query. Rethrows every other error. */
function canonicalOrNull(rawQuery: string): string | null {
  try {
    return canonicalQuery(rawQuery);
  } catch (error) {
    if (error instanceof MalformedQueryError) return null;
    throw error;
  }
}

/** A naive implementation of the rules of docs/contract/signing.md, on bytes. */
function naiveCanonicalQuery(parameters: [name: string, value: string][]): string {
  const encode = (bytes: Buffer) =>
    [...bytes]
      .map((byte) => {
        const character = String.fromCharCode(byte);
        return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
      })
      .join("");
  return parameters
    .map(([name, value]) => ({ name: Buffer.from(name), value: Buffer.from(value) }))
    .sort((a, b) => Buffer.compare(a.name, b.name) || Buffer.compare(a.value, b.value))
    .map(({ name, value }) => `${encode(name)}=${encode(value)}`)
    .join("&");
}

/** Characters on both sides of every relevant boundary: ASCII, neighbours of the surrogates, beyond the BMP. */
const character = fc.oneof(
  fc.constantFrom("a", "b", "A", "0", "-", "_", ".", "~", " ", "+", "&", "=", "%", "!", "'", "(", ")", "*", "/", "?"),
  fc.constantFrom(
    "\u0000",
    "\u007f",
    "\u0080",
    "é",
    "客",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\u{10000}",
    "😀",
    "\u{10ffff}",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
);
const name = fc.string({ unit: character, maxLength: 4 });
const parameters = fc.array(fc.tuple(name, name), { maxLength: 8 });

/** One of the many encodings that decode to `text`: with lower or upper case digits, and some characters unencoded. */
const spelling = (text: string) =>
  fc.array(fc.constantFrom("raw", "lower", "upper"), { minLength: text.length, maxLength: text.length }).map((ways) =>
    [...text]
      .map((symbol, index) => {
        if (ways[index] === "raw" && !/[&=%]/.test(symbol)) return symbol;
        const hex = [...Buffer.from(symbol)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
        return ways[index] === "upper" ? hex.toUpperCase() : hex;
      })
      .join(""),
  );

const spelledParameters = parameters.chain((list) =>
  fc.record({
    list: fc.constant(list),
    rawQuery: fc.tuple(...list.flat().map(spelling)).map((texts) => {
      const segments: string[] = [];
      for (let index = 0; index < texts.length; index += 2) segments.push(`${texts[index]}=${texts[index + 1]}`);
      return segments.join("&");
    }),
  }),
);

/** Raw queries of any caller: valid, malformed, not even Unicode. */
const anyQuery = fc.oneof(
  spelledParameters.map(({ rawQuery }) => rawQuery),
  fc.string({
    unit: fc.constantFrom("%", "&", "=", "+", "4", "1", "f", "F", "%C3", "%A9", "%ff", "a", "\ud800", "\udc00"),
  }),
  fc.string({ unit: "binary" }),
);

describe("canonical form of the vectors", () => {
  for (const vector of vectors) {
    test(`query of ${vector.name}`, () => {
      assert.equal(canonicalQuery(vector.rawQuery), vector.canonicalQuery);
    });
    test(`string of ${vector.name}`, () => {
      const bodyHash = sha256Hex(Buffer.from(vector.bodyBase64, "base64"));
      const parts = { ...vector, timestamp: String(vector.timestamp), bodyHash };
      assert.equal(canonicalString(parts), vector.canonicalString);
      assert.equal(canonicalString({ ...parts, method: vector.method.toLowerCase() }), vector.canonicalString);
    });
  }
});

describe("canonical query rules", () => {
  for (const [rule, rawQuery, canonical] of [
    ["no query is an empty line", "", ""],
    ["repeated parameters are kept, in order of value", "b=2&b=1&b=1", "b=1&b=1&b=2"],
    ["empty values are kept, with and without an equals sign", "b=&a", "a=&b="],
    ["an empty name is a name", "b=1&=2", "=2&b=1"],
    ["empty segments carry no parameter", "&a=1&&b=2&", "a=1&b=2"],
    ["only the first equals sign divides", "a=b=c", "a=b%3Dc"],
    ["names sort by ASCII, upper case first", "b=1&B=2&a=3&_=4&~=5&-=6", "-=6&B=2&_=4&a=3&b=1&~=5"],
    ["a name sorts before what it begins", "aa=1&a=2", "a=2&aa=1"],
    ["sorting looks at decoded names, not at their spelling", "%7a=1&a=2", "a=2&z=1"],
    ["a space is %20", "a=%20&b= ", "a=%20&b=%20"],
    ["a plus is a plus", "a=b+c&d=%2B", "a=b%2Bc&d=%2B"],
    ["what RFC 3986 keeps is kept", "%2D%5F%2E%7E=-_.~", "-_.~=-_.~"],
    ["what encodeURIComponent leaves alone is encoded", "a=!'()*", "a=%21%27%28%29%2A"],
    ["percent sequences come out in upper case", "a=%c3%a9%2f", "a=%C3%A9%2F"],
    ["decoding happens once", "a=%2541", "a=%2541"],
    ["U+FFFF sorts before U+10000, as their bytes do", "%F0%90%80%80=1&%EF%BF%BF=2", "%EF%BF%BF=2&%F0%90%80%80=1"],
  ] as const) {
    test(rule, () => {
      assert.equal(canonicalQuery(rawQuery), canonical);
    });
  }
  for (const malformed of [
    "%",
    "a=%",
    "a=%4",
    "%zz=1",
    "a=%u0041",
    "a=%ff",
    "a=%c3",
    "a=%c0%af",
    "a=%ed%a0%80",
    "\ud800=1",
  ]) {
    test(`${JSON.stringify(malformed)} is malformed`, () => {
      assert.throws(() => canonicalQuery(malformed), MalformedQueryError);
    });
  }

  test("every input has a canonical form or is malformed", () => {
    fc.assert(fc.property(anyQuery, (rawQuery) => void canonicalOrNull(rawQuery)));
  });
  test("it agrees with the naive implementation, however the parameters are encoded", () => {
    fc.assert(
      fc.property(spelledParameters, ({ list, rawQuery }) => {
        assert.equal(canonicalQuery(rawQuery), naiveCanonicalQuery(list));
      }),
      { numRuns: 1_000 },
    );
  });
  test("it is idempotent", () => {
    fc.assert(
      fc.property(anyQuery, (rawQuery) => {
        const canonical = canonicalOrNull(rawQuery);
        if (canonical !== null) assert.equal(canonicalQuery(canonical), canonical);
      }),
    );
  });
  test("it does not depend on the order of the parameters", () => {
    const shuffled = anyQuery.chain((rawQuery) => {
      const segments = rawQuery.split("&");
      const order = fc.shuffledSubarray(segments, { minLength: segments.length });
      return fc.tuple(
        fc.constant(rawQuery),
        order.map((list) => list.join("&")),
      );
    });
    fc.assert(
      fc.property(shuffled, ([rawQuery, other]) => {
        assert.equal(canonicalOrNull(other), canonicalOrNull(rawQuery));
      }),
    );
  });
  test("it contains only unreserved characters, upper-case percent sequences, & and =", () => {
    fc.assert(
      fc.property(anyQuery, (rawQuery) => {
        assert.match(canonicalOrNull(rawQuery) ?? "", /^(?:[A-Za-z0-9\-._~&=]|%[0-9A-F]{2})*$/);
      }),
    );
  });
});
