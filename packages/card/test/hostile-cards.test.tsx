import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CARD_TAGS } from "@portico/protocol";
import fc from "fast-check";
import { cardSummary } from "../src/index.ts";
import { cardOf } from "./support/cards.ts";
import { HOSTILE_CARDS } from "./support/hostile-cards.ts";
import { renderCard } from "./support/render.tsx";

const ELEMENTS_MAX = 30_000;

describe("hostile cards", () => {
  for (const { name, card } of HOSTILE_CARDS) {
    test(name, async (t) => {
      const { root, faults } = await renderCard(t, card);
      assert.deepEqual(faults, []);
      assert.ok(root.querySelector("[data-card]"));
      assert.ok(root.querySelectorAll("*").length < ELEMENTS_MAX);
      assert.equal(root.querySelector("script, style, iframe, object, form, [onerror], [onload]"), null);
      const links = [...root.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");
      assert.deepEqual(
        links.filter((href) => !/^https?:\/\//.test(href)),
        [],
      );
      assert.ok(cardSummary(card, "en-US").length <= 121);
    });
  }

  test("a card of any JSON is drawn without a fault", async (t) => {
    const { update, faults } = await renderCard(t, null);
    const { element } = fc.letrec((tie) => ({
      element: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.jsonValue(),
        fc.record(
          {
            tag: fc.constantFrom(...CARD_TAGS),
            ...Object.fromEntries(
              "content text label title header options rows columns data persons img_list value url name width size"
                .split(" ")
                .map((key) => [key, fc.jsonValue()]),
            ),
            elements: fc.array(tie("element"), { maxLength: 3 }),
          },
          { requiredKeys: ["tag"] },
        ),
      ),
    }));
    const card = fc.record({
      header: fc.jsonValue(),
      config: fc.jsonValue(),
      body: fc.record({ elements: fc.array(element, { maxLength: 4 }) }),
    });
    await fc.assert(
      fc.asyncProperty(card, async (value) => {
        await update(value);
        cardSummary(value, "zh-CN");
        assert.deepEqual(faults, []);
      }),
      { numRuns: 200 },
    );
  });

  test("a fault in one component stays in it", async (t) => {
    let isBroken = true;
    const broken = { tag: "text" };
    Object.defineProperty(broken, "content", {
      enumerable: true,
      get() {
        if (isBroken) throw new Error("broken");
        return "mended";
      },
    });
    const card = await renderCard(
      t,
      cardOf({ tag: "text", content: "before" }, broken, { tag: "text", content: "after" }),
    );
    assert.equal(card.root.textContent, "beforeThis part of the card cannot be shownafter");
    assert.equal(card.faults.length, 1);
    isBroken = false;
    await card.update(cardOf({ tag: "text", content: "before" }, { tag: "text", content: "mended" }));
    assert.equal(card.root.textContent, "beforemended");
  });
});
