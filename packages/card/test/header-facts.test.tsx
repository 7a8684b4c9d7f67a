import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cardLayout } from "../src/index.ts";
import { cardOf } from "./support/cards.ts";
import { renderCard } from "./support/render.tsx";

function headed(header: unknown, config: unknown = {}): Record<string, unknown> {
  return { ...cardOf({ tag: "hr" }), header, config };
}

/** What clients read beside the body (docs/contract/cards.md#what-clients-draw). */
describe("header", () => {
  const i18n = { "zh-CN": "中文", en_us: "English", ja_JP: "日本語" };
  for (const [name, locale, locales, shown] of [
    ["the reader's locale, declared", "en-US", ["zh-CN", "en-US"], "English"],
    ["whatever its case and separator", "ZH_cn", ["zh_CN"], "中文"],
    ["one that config.locales does not declare falls back to content", "ja-JP", ["zh-CN"], "Content"],
    ["no locales declared", "en-US", undefined, "Content"],
    ["a declared locale without text", "fr-FR", ["fr-FR"], "Content"],
  ] as const) {
    test(`title is i18n.<locale> or content: ${name}`, async (t) => {
      const card = await renderCard(t, headed({ title: { content: "Content", i18n } }, { locales }), { locale });
      assert.equal(card.root.querySelector("h3")?.textContent, shown);
    });
  }
  test("subtitle, icon and text_tag_list are shown", async (t) => {
    const tags = [{ tag: "text_tag", text: { tag: "plain_text", content: "P0" }, color: "red" }, { text: "open" }];
    const header = { title: "T", subtitle: { content: "S" }, icon: { token: "bell_outlined" }, text_tag_list: tags };
    const card = await renderCard(t, headed(header));
    assert.equal(card.root.querySelector<HTMLElement>(".pc-header")?.textContent, "bell_outlinedTP0openS");
    assert.deepEqual(
      card.all("text_tag").map((tag) => tag.textContent),
      ["P0", "open"],
    );
  });
  for (const template of "blue wathet turquoise green yellow orange red carmine violet purple indigo grey".split(" ")) {
    test(`header.template ${template} is a colour`, async (t) => {
      const card = await renderCard(t, headed({ title: "T", template }));
      assert.equal(card.root.querySelector<HTMLElement>(".pc-header")?.dataset.color, template);
    });
  }
  for (const template of ["default", "pink", 7, undefined, "__proto__"]) {
    test(`header.template ${template} is no colour`, async (t) => {
      const card = await renderCard(t, headed({ title: "T", template }));
      assert.equal(card.root.querySelector<HTMLElement>(".pc-header")?.dataset.color, "default");
    });
  }
});

describe("config", () => {
  for (const width of ["default", "compact", "fill"] as const) {
    test(`width_mode ${width}`, async (t) => {
      const card = await renderCard(t, headed({ title: "T" }, { width_mode: width }));
      assert.equal(card.root.querySelector<HTMLElement>("[data-card]")?.dataset.width, width);
      assert.equal(cardLayout(headed({}, { width_mode: width })).width, width);
    });
  }
  for (const [name, card] of [
    ["config.horizontal_align", headed({}, { horizontal_align: "center" })],
    ["config.align", headed({}, { align: "center" })],
    ["align", { ...headed({}), align: "center" }],
  ] as const) {
    test(`${name} center makes the card unbubbled`, async (t) => {
      assert.equal(cardLayout(card).unbubbled, true);
      const { root } = await renderCard(t, card);
      assert.equal(root.querySelector<HTMLElement>("[data-card]")?.dataset.align, "center");
    });
  }
  test("no alignment, or another, keeps the bubble", () => {
    assert.equal(cardLayout(headed({})).unbubbled, false);
    assert.equal(cardLayout(headed({}, { horizontal_align: "left" })).unbubbled, false);
  });
});

test("a card is an element with data-card, its message id, empty in previews", async (t) => {
  const card = await renderCard(t, cardOf({ tag: "hr" }), { messageId: 4711 });
  assert.equal(card.root.querySelector<HTMLElement>("[data-card]")?.dataset.card, "4711");
  await card.update(cardOf({ tag: "hr" }), { messageId: "" });
  assert.equal(card.root.querySelector<HTMLElement>("[data-card]")?.dataset.card, "");
});
