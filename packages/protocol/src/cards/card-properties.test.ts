import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { applyImages } from "./apply-images.ts";
import { checkCard } from "./check-card.ts";
import { CARD_MESSAGES } from "./contract.ts";
import { findCardProblems, MAX_CARD_FINDINGS } from "./find-card-problems.ts";
import { arbitraryCard, arbitraryWords } from "./testing/arbitrary-card.ts";
import { answerTo } from "./testing/build-card.ts";
import { naiveCheck } from "./testing/naive-card.ts";

const RUNS = 6_000;
const anything = fc.oneof(arbitraryCard, arbitraryWords);

describe("any card", () => {
  test("its result equals that of a second implementation of the contract, in every detail", () => {
    const answers = new Map<string | null, number>();
    fc.assert(
      fc.property(arbitraryCard, (card) => {
        const answer = assertAnsweredAlike(card);
        const kind = answer?.startsWith(CARD_MESSAGES["component-tag"]) ? CARD_MESSAGES["component-tag"] : answer;
        answers.set(kind, (answers.get(kind) ?? 0) + 1);
      }),
      { numRuns: RUNS },
    );
    const passed = answers.get(null) ?? 0;
    assert.ok(passed >= RUNS * 0.2 && passed <= RUNS * 0.8, `${passed} of ${RUNS} cards passed`);
    for (const message of Object.values(CARD_MESSAGES)) {
      const count = answers.get(message) ?? 0;
      assert.ok(count >= RUNS / 200, `only ${count} of ${RUNS} cards were answered with ${message}`);
    }
  });
  test("so does that of a card made of significant words in arbitrary places", () => {
    fc.assert(
      fc.property(arbitraryWords, (card) => void assertAnsweredAlike(card)),
      { numRuns: RUNS },
    );
  });
  test("images do not change the answer to a card whose structure or size is wrong", () => {
    fc.assert(
      fc.property(anything, fc.constantFrom({ tag: "img" }, { tag: "image", img_key: "file_0" }), (card, image) => {
        const check = checkCard(card);
        if (check.failure === null || check.failure.rule === "image-key") return;
        assert.deepEqual(check.images, []);
        const changed = structuredClone(Object(card));
        if (Array.isArray(changed.body?.elements)) changed.body.elements.unshift(image);
        // One more component may be one too many.
        const answer = answerTo(changed);
        assert.ok(answer === check.failure.message || answer === CARD_MESSAGES["component-count"]);
      }),
      { numRuns: 3_000 },
    );
  });
  test("findings are in the order of the rules: structure, size, image keys", () => {
    fc.assert(
      fc.property(anything, (card) => {
        const phases = findCardProblems(card).map(({ rule }) => ["size", "image-key"].indexOf(rule));
        assert.deepEqual(
          phases,
          phases.toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 3_000 },
    );
  });
  test("the first finding is what the service answers, and there is none when the card passes", () => {
    fc.assert(
      fc.property(anything, (card) => {
        const findings = findCardProblems(card);
        assert.equal(findings[0]?.message ?? null, answerTo(card));
        assert.ok(findings.length <= MAX_CARD_FINDINGS);
        for (const { suggestion } of findings) assert.match(suggestion, /^[A-Z"].*[.?]$/);
      }),
      { numRuns: 3_000 },
    );
  });
  test("checks and images do not modify it", () => {
    fc.assert(
      fc.property(anything, (card) => {
        const before = JSON.stringify(card);
        findCardProblems(card);
        const check = checkCard(card);
        if (check.failure === null) applyImages(before, Object(card), addressesOf(check.images));
        assert.equal(JSON.stringify(card), before);
      }),
    );
  });
  test("one whose images are applied passes, has no image left to resolve, and is otherwise the same", () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(0, 2), (card, space) => {
        const check = checkCard(card);
        if (check.failure !== null) return;
        const applied = JSON.parse(
          applyImages(JSON.stringify(card, null, space), Object(card), addressesOf(check.images)),
        );
        const again = checkCard(applied);
        assert.ok(again.failure === null || again.failure.rule === "size");
        assert.deepEqual(again.images, []);
        assert.deepEqual(withoutAddresses(applied), withoutAddresses(JSON.parse(JSON.stringify(card))));
      }),
      { numRuns: 3_000 },
    );
  });
  test("the pointer of a finding refers to the value that breaks the rule", () => {
    fc.assert(
      fc.property(anything, (card) => {
        for (const { pointer, rule } of findCardProblems(card)) {
          const value = valueAt(card, pointer);
          if (rule === "depth") assert.ok(Array.isArray(value));
          if (rule === "component-count") assert.equal(typeof value, "object");
          if (rule === "link") assert.ok(value !== null && value !== undefined);
          if (rule === "component-object")
            assert.ok(typeof value !== "object" || value === null || Array.isArray(value));
        }
      }),
    );
  });
});

/** Compares the answer and the images with those of the second implementation. Returns the answer. */
function assertAnsweredAlike(card: unknown): string | null {
  const answer = answerTo(card);
  const keys = checkCard(card).images.map(({ imgKey }) => imgKey);
  assert.deepEqual({ answer, keys }, naiveCheck(card));
  return answer;
}

function addressesOf(images: { imgKey: string }[]): Map<string, string> {
  return new Map(images.map(({ imgKey }) => [imgKey, `https://files.example/${imgKey}`]));
}

/** A value without any `img_url`. */
function withoutAddresses(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each) => (key === "img_url" ? undefined : each)));
}

function valueAt(card: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((value: unknown, key) => (value === null || value === undefined ? value : Object(value)[key]), card);
}
