import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CardAction, CardMemory } from "../src/index.ts";
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

/** Every control, with something that a member has done in it. */
const CONTROLS = [
  { tag: "markdown", content: "long ".repeat(2_000) },
  { tag: "input", name: "reason" },
  { tag: "date_picker", name: "from" },
  { tag: "select_static", name: "who", options: [ANN, BOB] },
  { tag: "multi_select_static", name: "all", options: [ANN, CY] },
  { tag: "checkbox", name: "sure", label: "Sure" },
  { tag: "radio", name: "pay", label: "Now", value: 1, checked: true },
  { tag: "radio", name: "pay", label: "Later", value: 2 },
];

async function fillIn({ root }: RenderedCard): Promise<void> {
  await press(root.querySelector(".pc-more-button"));
  await write(root.querySelector("[data-tag=input] input"), "mine");
  await leave(root.querySelector("[data-tag=input] input"));
  await write(root.querySelector("[data-tag=date_picker] input"), "2026-11-22");
  await leave(root.querySelector("[data-tag=date_picker] input"));
  await choose(root.querySelector("[data-tag=select_static] select"), "Bob");
  await press(root.querySelectorAll("[data-tag=multi_select_static] [type=checkbox]")[1]);
  await press(root.querySelector("[data-tag=checkbox] input"));
  await press(root.querySelectorAll("[type=radio]")[1]);
}

/** What stands in the controls, and whether the text is open. */
function entriesIn({ root }: RenderedCard) {
  const [text, date] = root.querySelectorAll<HTMLInputElement>("[data-tag=input] input, [data-tag=date_picker] input");
  const checked = [...root.querySelectorAll<HTMLInputElement>("[type=checkbox], [type=radio]")].map(
    (box) => box.checked,
  );
  const select = root.querySelector("select");
  return [
    text?.value,
    date?.value,
    select?.selectedOptions[0]?.textContent,
    ...checked,
    root.querySelector(".pc-more-button") === null,
  ];
}

const FILLED_IN = ["mine", "2026-11-22", "Bob", false, true, true, false, true, true];

describe("a card that is drawn again with its memory", () => {
  test("has all that was entered, chosen and opened, moves no focus and reports nothing", async (t) => {
    const memory: CardMemory = new Map();
    const actions: CardAction[] = [];
    const props = { memory, onAction: async (action: CardAction) => void actions.push(action) };
    const first = await renderElements(t, CONTROLS, props);
    await fillIn(first);
    assert.deepEqual(entriesIn(first), FILLED_IN);
    const reported = actions.length;
    await first.unmount();
    const again = await renderElements(t, CONTROLS, props);
    assert.deepEqual(entriesIn(again), FILLED_IN);
    for (const field of again.root.querySelectorAll("input")) await leave(field);
    assert.equal(actions.length, reported);
    assert.equal(document.activeElement, document.body);
  });

  test("has what was not reported yet, and reports it then", async (t) => {
    const memory: CardMemory = new Map();
    const actions: CardAction[] = [];
    const props = { memory, onAction: async (action: CardAction) => void actions.push(action) };
    const first = await renderElements(t, CONTROLS, props);
    await write(find(first, "[data-tag=input] input"), "half");
    await first.unmount();
    const again = await renderElements(t, CONTROLS, props);
    await leave(find(again, "[data-tag=input] input"));
    assert.deepEqual(
      actions.map(({ value }) => value),
      ["half"],
    );
  });

  test("shows what an update says anew that came meanwhile", async (t) => {
    const memory: CardMemory = new Map();
    const first = await renderElements(t, CONTROLS, { memory });
    await fillIn(first);
    await first.unmount();
    const [text, input, date, one, several, box, now, later] = CONTROLS;
    const third = { ...later, label: "Never", value: 3, checked: true };
    const updated = [
      text,
      { ...input, default_value: "theirs" },
      date,
      one,
      several,
      box,
      { ...now, checked: false },
      later,
      third,
    ];
    const again = await renderElements(t, updated, { memory });
    const [was, ...rest] = FILLED_IN;
    assert.equal(was, "mine");
    assert.deepEqual(entriesIn(again), ["theirs", ...rest.slice(0, 5), false, false, true, true]);
  });

  test("knows a component by its name wherever it stands, and forgets one that an update takes away", async (t) => {
    const [text, ...controls] = CONTROLS;
    const card = await renderElements(t, CONTROLS);
    await fillIn(card);
    await card.update(
      cardOf({ tag: "hr" }, { tag: "form", elements: [...controls.slice(0, 6)] }, text, ...controls.slice(6)),
    );
    const [entered, date, chosen] = entriesIn(card);
    assert.deepEqual([entered, date, chosen], ["mine", "2026-11-22", "Bob"]);
    await card.update(cardOf({ ...text, content: "short" }));
    await card.update(cardOf(...CONTROLS));
    assert.deepEqual(entriesIn(card), ["", "", "Choose", false, false, false, true, false, false]);
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
