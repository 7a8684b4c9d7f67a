import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  API_ERRORS,
  ApiError,
  CONSOLE_ERRORS,
  ERROR_CODES,
  ERRORS,
  englishOf,
  errorRow,
  fault,
  wordsOf,
} from "./index.ts";
import { fillTemplate } from "./template.ts";

const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

describe("the tables of errors", () => {
  test("an errorCode is in one table only", () => {
    const codes = [...Object.keys(ERRORS), ...Object.keys(API_ERRORS), ...Object.keys(CONSOLE_ERRORS)];
    assert.deepEqual(codes.toSorted(), [...ERROR_CODES].toSorted());
    assert.equal(new Set(codes).size, codes.length);
  });
  for (const errorCode of ERROR_CODES) {
    test(`${errorCode} has a message in both languages, with values of the same names`, () => {
      assert.match(errorCode, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
      const { message, english, status } = errorRow(errorCode);
      assert.ok(status >= 400 && status < 600);
      assert.match(english, /^[ -~]+$/, "English is written in ASCII");
      assert.notEqual(message, "");
      for (const name of namesIn(english)) assert.ok(namesIn(message).includes(name), name);
    });
    test(`${errorCode} is recognised by the message of an answer`, () => {
      const { message, english, kind } = errorRow(errorCode);
      const params = Object.fromEntries(namesIn(message).map((name, index) => [name, `value-${index}`]));
      const filled = fillTemplate(message, params);
      const expected = fillTemplate(english, params);
      assert.equal(englishOf({ message: filled, errorCode }), expected);
      if (kind !== null) assert.equal(englishOf({ message: filled, code: ERRORS[kind].code }), expected);
    });
  }
  test("no two errors of one kind have the same message", () => {
    const words = ERROR_CODES.map((errorCode) => {
      const { kind, status, message } = errorRow(errorCode);
      return `${kind ?? status} ${message}`;
    });
    assert.deepEqual(words, [...new Set(words)]);
  });
});

describe("englishOf", () => {
  test("is undefined for messages that are not in the tables", () => {
    assert.equal(englishOf({ message: "别的" }), undefined);
    assert.equal(englishOf({ message: "别的", code: "400006" }), undefined);
    assert.equal(englishOf({ message: "别的", errorCode: "NO_SUCH_ERROR" }), undefined);
    assert.equal(englishOf({ message: "别的", errorCode: "APP_NOT_FOUND" }), undefined);
  });
});

describe("an error", () => {
  test("has the message of its table, with its values", () => {
    const error = new ApiError(fault("MENTIONS_TOO_MANY", { max: 50 }));
    assert.deepEqual(
      [error.errorCode, error.code, error.message],
      ["MENTIONS_TOO_MANY", "400006", "content.mentions不能超过50个"],
    );
    assert.deepEqual(wordsOf(fault("APPS_TOO_MANY", { max: 9 })), {
      errorCode: "APPS_TOO_MANY",
      message: "每位开发者最多拥有9个应用",
    });
  });
  test("cannot be created with another message, nor without its values: it does not compile", () => {
    // @ts-expect-error words that no table has
    assert.throws(() => new ApiError("慢一点"));
    // @ts-expect-error an error of the console API has no code of six digits
    const withoutCode = () => new ApiError("APPS_TOO_MANY");
    // @ts-expect-error its words name a value
    const withoutValues = () => new ApiError("MENTIONS_TOO_MANY");
    // @ts-expect-error another value than the one its words name
    const withOther = () => fault("MENTIONS_TOO_MANY", { most: 50 });
    assert.equal([withoutCode, withoutValues, withOther].length, 3);
  });
});
