import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkCard } from "./check-card.ts";
import { CARD_LIMITS } from "./contract.ts";
import { measureCard } from "./measure-card.ts";
import { arbitraryCard, arbitraryWords } from "./testing/arbitrary-card.ts";
import { cardOf, nestedColumnSets, nestedForms } from "./testing/build-card.ts";

const hr = { tag: "hr" };

describe("the measurements of a card", () => {
  for (const [what, card, components, levels] of [
    ["nothing in it", cardOf(), 0, 1],
    ["one component", cardOf(hr), 1, 1],
    ["a container, which counts 1, as does what stands in it", cardOf({ tag: "form", elements: [hr, hr] }, hr), 4, 2],
    ["8 levels of form", cardOf(nestedForms(8, hr)), 9, 9],
    ["4 levels of column_set", cardOf(nestedColumnSets(4, hr)), 9, 9],
    ["children in a later field", cardOf({ tag: "form", elements: [hr], actions: [hr, hr] }), 2, 2],
    ["a child field of null", cardOf({ tag: "form", elements: null, children: [hr] }), 2, 2],
    ["what is no component", cardOf("text", 5, null, [hr], hr), 1, 1],
    ["a child field that is no array", cardOf({ tag: "form", elements: hr }), 1, 1],
    ["no body", { schema: "2.0" }, 0, 0],
    ["nothing of a card", "text", 0, 0],
  ] as const) {
    test(`${what}: ${components} components, ${levels} levels`, () => {
      assert.deepEqual(measureCard(card), { components, levels });
    });
  }
  test("100,000 nested containers are counted", () => {
    assert.deepEqual(measureCard(cardOf(nestedForms(100_000))), { components: 100_000, levels: 100_001 });
  });
  test("any accepted card is within the limits, and one beyond them is refused", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryCard, arbitraryWords), (card) => {
        const { components, levels } = measureCard(card);
        const fits = components <= CARD_LIMITS.components && levels <= CARD_LIMITS.levels;
        assert.ok(fits || checkCard(card).failure !== null);
      }),
      { numRuns: 2_000 },
    );
  });
});
