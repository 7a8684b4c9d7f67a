import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkCard } from "@portico/protocol/cards";
import { unnamedControls } from "../../../../test/support/unnamed-controls.ts";
import { EXAMPLES, exampleIn } from "./examples.ts";

describe("the examples of cards", () => {
  for (const example of EXAMPLES) {
    it(`${example.id} is valid in both languages, and needs no upload`, () => {
      for (const locale of ["zh-CN", "en-US"] as const) {
        const { failure, images } = checkCard(exampleIn(locale, example));
        assert.deepEqual({ failure, images }, { failure: null, images: [] });
        assert.deepEqual(unnamedControls(exampleIn(locale, example)), []);
      }
    });

    it(`${example.id} speaks one language at a time`, () => {
      const { config: _, header: __, ...english } = { ...exampleIn("en-US", example), config: 0, header: 0 };
      assert.doesNotMatch(JSON.stringify(english), /\p{Script=Han}/u);
    });
  }
});
