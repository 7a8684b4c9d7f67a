import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CardAction } from "../src/index.ts";
import { cardOf } from "./support/cards.ts";
import { type RenderedCard, renderElements } from "./support/render.tsx";
import { choose, key, leave, press, write } from "./support/use.ts";

function find<Kind extends Element>(card: RenderedCard, selector: string): Kind {
  const [element, ...others] = card.root.querySelectorAll<Kind>(selector);
  if (element === undefined || others.length > 0) throw new Error(`not one ${selector}`);
  return element;
}

const ANN = { text: "Ann", value: "a" };
const BOB = { text: "Bob", value: "b" };
const CY = { text: "Cy", value: { id: "c" } };

describe("an update of the card keeps what the member has done", () => {
  test("what is entered, when something else changes", async (t) => {
    const element = { tag: "input", name: "reason", default_value: "a" };
    const card = await renderElements(t, [element]);
    await write(find(card, "input"), "mine");
    await card.update(cardOf({ ...element, placeholder: "new" }));
    assert.equal(find<HTMLInputElement>(card, "input").value, "mine");
  });

  test("what is entered, and its focus, when a component comes before it or goes", async (t) => {
    const input = { tag: "input", name: "reason" };
    const note = { tag: "markdown", content: "Someone else has answered." };
    const card = await renderElements(t, [note, input]);
    const field = find<HTMLInputElement>(card, "input");
    await write(field, "mine");
    for (const elements of [[{ tag: "hr" }, note, note, input], [input]]) {
      await card.update(cardOf(...elements));
      assert.ok(find(card, "input") === field);
      assert.equal(field.value, "mine");
    }
  });

  test("fields without a name are told apart by their order", async (t) => {
    const card = await renderElements(t, [{ tag: "input" }, { tag: "input" }]);
    const [first, second] = card.root.querySelectorAll("input");
    await write(first, "1");
    await write(second, "2");
    await card.update(cardOf({ tag: "hr" }, { tag: "input" }, { tag: "input" }));
    assert.deepEqual(
      [...card.root.querySelectorAll("input")].map(({ value }) => value),
      ["1", "2"],
    );
  });

  test("the option that was chosen, wherever it stands then, and whatever it is called", async (t) => {
    const card = await renderElements(t, [{ tag: "select_static", options: [ANN, BOB, CY] }]);
    const select = find<HTMLSelectElement>(card, "select");
    for (const [text, renamed] of [
      ["Bob", { ...BOB, text: "Bob (away)" }],
      ["Cy", CY],
    ] as const) {
      await card.update(cardOf({ tag: "select_static", options: [ANN, BOB, CY] }));
      await choose(select, text);
      await card.update(cardOf({ tag: "select_static", options: [renamed, CY, ANN].slice(text === "Cy" ? 1 : 0) }));
      assert.equal(select.selectedOptions[0]?.textContent, renamed.text);
    }
  });

  test("but not one that is gone", async (t) => {
    const card = await renderElements(t, [{ tag: "select_static", options: [ANN, BOB] }]);
    const select = find<HTMLSelectElement>(card, "select");
    await choose(select, "Bob");
    await card.update(cardOf({ tag: "select_static", options: [ANN, CY] }));
    assert.deepEqual([select.value, select.selectedOptions[0]?.textContent], ["", "Choose"]);
  });

  test("options with the same value are told apart", async (t) => {
    const same = [
      { text: "x", value: 1 },
      { text: "y", value: 1 },
      { text: "z", value: "1" },
    ];
    const card = await renderElements(t, [{ tag: "multi_select_static", options: same }]);
    const boxes = [...card.root.querySelectorAll<HTMLInputElement>("[type=checkbox]")];
    await press(boxes[1]);
    assert.deepEqual(
      boxes.map(({ checked }) => checked),
      [false, true, false],
    );
  });

  test("those of several that were chosen, and reports no others", async (t) => {
    const actions: CardAction[] = [];
    const element = { tag: "multi_select_static", name: "who", options: [ANN, BOB, CY] };
    const card = await renderElements(t, [element], { onAction: (action) => void actions.push(action) });
    const boxOf = (text: string) =>
      [...card.root.querySelectorAll("label")].find(({ textContent }) => textContent === text)?.querySelector("input");
    await press(boxOf("Bob"));
    await card.update(cardOf({ ...element, options: [CY, BOB] }));
    assert.deepEqual([boxOf("Cy")?.checked, boxOf("Bob")?.checked], [false, true]);
    await press(boxOf("Cy"));
    assert.deepEqual(actions.at(-1)?.option, [{ id: "c" }, "b"]);
  });
});

describe("an update of the card shows what the bot says anew", () => {
  test("in a field", async (t) => {
    const element = { tag: "input", name: "reason", default_value: "a" };
    const card = await renderElements(t, [element]);
    await write(find(card, "input"), "mine");
    await card.update(cardOf({ ...element, default_value: "b" }));
    assert.equal(find<HTMLInputElement>(card, "input").value, "b");
  });

  for (const [tag, entered, anew] of [
    ["input", "mine", "b"],
    ["date_picker", "2026-11-22", "2027-01-01"],
  ] as const) {
    test(`in a field, which reports nothing of it: ${tag}`, async (t) => {
      const actions: CardAction[] = [];
      const card = await renderElements(t, [{ tag, name: "x" }], { onAction: (action) => void actions.push(action) });
      await write(find(card, "input"), entered);
      await key(find(card, "input"), "Enter");
      assert.equal(actions.length, 1);
      await card.update(cardOf({ tag, name: "x", default_value: anew }));
      assert.equal(find<HTMLInputElement>(card, "input").value, anew);
      await leave(find(card, "input"));
      assert.equal(actions.length, 1);
    });
  }

  test("in a date that the member has not touched, which reports nothing of it", async (t) => {
    const actions: CardAction[] = [];
    const element = { tag: "date_picker", name: "from", initial_date: "2026-01-01" };
    const card = await renderElements(t, [element], { onAction: (action) => void actions.push(action) });
    await card.update(cardOf({ ...element, initial_date: "2026-02-02" }));
    await leave(find(card, "input"));
    assert.deepEqual(actions, []);
  });

  test("of the radios of one name", async (t) => {
    const radios = (checked: string) =>
      ["a", "b", "c"].map((value) => ({ tag: "radio", name: "pay", label: value, value, checked: value === checked }));
    const card = await renderElements(t, radios("a"));
    const all = [...card.root.querySelectorAll("input")];
    const chosen = () => all.filter(({ checked }) => checked).map((radio) => all.indexOf(radio));
    assert.deepEqual(chosen(), [0]);
    await card.update(cardOf(...radios("b")));
    assert.deepEqual(chosen(), [1]);
    await press(all[2]);
    await card.update(cardOf(...radios("b")));
    assert.deepEqual(chosen(), [2], "an update that says nothing of them leaves what was chosen");
    await card.update(cardOf(...radios("a")));
    assert.deepEqual(chosen(), [0]);
  });

  test("in an avatar, also after one that did not load", async (t) => {
    const person = (name: string) => ({ tag: "person", name: "Ann", avatar_url: `https://a.test/${name}.png` });
    const card = await renderElements(t, [person("missing")]);
    find(card, "img").dispatchEvent(new Event("error"));
    assert.ok(find<HTMLImageElement>(card, "img").hidden);
    await card.update(cardOf(person("new")));
    assert.ok(!find<HTMLImageElement>(card, "img").hidden);
  });
});
