import assert from "node:assert/strict";
import { test } from "node:test";
import { memberText } from "@portico/protocol/json-member";
import fc from "fast-check";
import { changeJson, mayLoseNumbers } from "./exact-json.ts";

const same = (value: unknown) => value;

test("numbers that a double cannot represent keep their notation, others are written as usual", () => {
  const json = '{ "a": [12345678901234567890, 1e400, -0.12345678901234567890, 1.0, 2], "b": "1e400" }';
  assert.equal(changeJson(json, same), '{"a":[12345678901234567890,1e400,-0.12345678901234567890,1,2],"b":"1e400"}');
});

test("texts do not change, whatever they look like", () => {
  const json = JSON.stringify({ "12345678901234567890": 'a"1e400,\\', b: "\\\\", c: ['"', "12345678901234567"] });
  assert.equal(changeJson(json, same), json);
});

test("changes are written, and unchanged numbers are kept", () => {
  const json = '{"big":98765432109876543210,"old":1}';
  assert.equal(
    changeJson(json, (value) => ({ ...(value as object), old: 2 })),
    '{"big":98765432109876543210,"old":2}',
  );
});

test("of duplicate keys the last one counts, also in the output", () => {
  assert.equal(changeJson('{"a":1e400,"a":2e400}', same), '{"a":2e400}');
});

test("any nesting depth works", () => {
  const json = `${"[".repeat(100_000)}1e400${"]".repeat(100_000)}`;
  assert.equal(changeJson(json, same), json);
});

test("every number that a double would change is detected, and preserved", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: -400, max: 400 }), fc.string(), (digits, exponent, text) => {
      for (const number of [`${digits}`, `${digits}e${exponent}`, `${digits}.${String(digits).replace("-", "")}`]) {
        const json = `{"n":${number},"t":${JSON.stringify(text)}}`;
        const isLost = BigInt(Number(digits)) !== digits;
        if (isLost) assert.ok(mayLoseNumbers(json), json);
        if (mayLoseNumbers(number)) assert.equal(changeJson(json, same), json);
      }
    }),
  );
});

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
