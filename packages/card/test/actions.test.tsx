import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { act } from "react";
import type { CardAction } from "../src/index.ts";
import { cardOf } from "./support/cards.ts";
import { type RenderedCard, renderElements } from "./support/render.tsx";
import { choose, key, leave, press, write } from "./support/use.ts";

const options = [{ text: "One", value: "1" }, { text: { content: "Two" }, value: { n: 2 } }, { text: "Three" }];

/** A card, and what reached the bot. Each report waits for `answer`. */
async function withBot(t: TestContext, ...elements: unknown[]) {
  const actions: CardAction[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const onAction = (action: CardAction) => {
    actions.push(action);
    const answered = Promise.withResolvers<void>();
    waiting.push(answered);
    return answered.promise;
  };
  const card = await renderElements(t, elements, { onAction });
  const settle = (end: (one: PromiseWithResolvers<void>) => void) =>
    act(async () => {
      for (const one of waiting.splice(0)) end(one);
    });
  return {
    card,
    actions,
    answer: () => settle((one) => one.resolve()),
    refuse: () => settle((one) => one.reject(new Error("no"))),
  };
}

function find(card: RenderedCard, selector: string): Element | null {
  return card.root.querySelector(selector);
}

/** The fields of an action that say what was done; the others are null. */
function action(tag: string, fields: Partial<CardAction>): CardAction {
  return { tag, name: null, value: null, option: null, formValue: null, ...fields };
}

describe("what a component reports", () => {
  test("button without url raises an action with value", async (t) => {
    const { card, actions } = await withBot(t, {
      tag: "button",
      name: "run",
      text: { content: "Run" },
      value: { build: 1 },
    });
    assert.equal(card.one("button").textContent, "Run");
    await press(find(card, "button"));
    assert.deepEqual(actions, [action("button", { name: "run", value: { build: 1 } })]);
  });
  test("button with url opens the link and reports nothing", async (t) => {
    const { card, actions } = await withBot(t, {
      tag: "button",
      text: { content: "Open" },
      url: "https://a.test/",
      value: 1,
    });
    const link = find(card, "a");
    assert.equal(link?.textContent, "Open");
    for (const [name, value] of Object.entries({
      href: "https://a.test/",
      target: "_blank",
      rel: "noopener noreferrer",
      title: "a.test",
    })) {
      assert.equal(link?.getAttribute(name), value);
    }
    await press(link);
    assert.deepEqual(actions, []);
  });
  for (const tag of ["select_static", "select_person", "select_time"]) {
    test(`${tag} reports the value of the chosen option`, async (t) => {
      const { card, actions, answer } = await withBot(t, { tag, name: "pick", options });
      for (const text of ["One", "Two", "Three"]) {
        await choose(find(card, "select"), text);
        await answer();
      }
      const chosen = ["1", { n: 2 }, "Three"];
      assert.deepEqual(
        actions,
        chosen.map((option) => action(tag, { name: "pick", option, formValue: { pick: option } })),
      );
    });
  }
  for (const tag of ["multi_select_static", "multi_select_person"]) {
    test(`${tag} reports the values of all chosen options`, async (t) => {
      const { card, actions, answer } = await withBot(t, { tag, name: "pick", options });
      const [one, two] = card.root.querySelectorAll("input");
      for (const box of [two, one, two]) {
        await press(box);
        await answer();
      }
      assert.deepEqual(
        actions.map(({ option }) => option),
        [[{ n: 2 }], ["1", { n: 2 }], ["1"]],
      );
      assert.deepEqual(actions.at(-1)?.formValue, { pick: ["1"] });
    });
  }
  test("overflow reports the value of the option", async (t) => {
    const { card, actions } = await withBot(t, { tag: "overflow", options, value: "menu" });
    const items = [...card.root.querySelectorAll(".pc-menu button")];
    assert.deepEqual(
      items.map((item) => item.textContent),
      ["One", "Two", "Three"],
    );
    await press(items[0]);
    assert.deepEqual(actions, [action("overflow", { value: "menu", option: "1" })]);
  });
  test("checkbox reports whether it is checked", async (t) => {
    const { card, actions, answer } = await withBot(t, {
      tag: "checkbox",
      name: "agree",
      label: "Agree",
      value: "yes",
    });
    await press(find(card, "input"));
    await answer();
    await press(find(card, "input"));
    assert.deepEqual(actions, [
      action("checkbox", { name: "agree", value: true, option: "yes", formValue: { agree: "yes" } }),
      action("checkbox", { name: "agree", value: false, formValue: { agree: false } }),
    ]);
  });
  test("of the radios of one name one is chosen, and reports", async (t) => {
    const radios = ["a", "b"].map((value) => ({ tag: "radio", name: "pay", label: value, value }));
    const { card, actions } = await withBot(t, ...radios);
    const [first, second] = card.root.querySelectorAll("input");
    await press(first);
    await press(second);
    assert.deepEqual([first?.checked, second?.checked], [false, true]);
    assert.deepEqual(
      actions.map(({ option }) => option),
      ["a", "b"],
    );
  });
  for (const [tag, text] of [
    ["date_picker", "2026-11-22"],
    ["picker_datetime", "2026-11-22T18:30"],
    ["select_time", "18:30"],
  ] as const) {
    test(`${tag} reports what was entered when it is committed`, async (t) => {
      const { card, actions } = await withBot(t, { tag, name: "when" });
      await write(find(card, "input"), text);
      assert.deepEqual(actions, []);
      await leave(find(card, "input"));
      await key(find(card, "input"), "Enter");
      const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
      const zone = tag === "picker_datetime" ? { timeZone } : {};
      assert.deepEqual(actions, [action(tag, { name: "when", value: text, formValue: { when: text }, ...zone })]);
    });
  }
});

describe("an input reports when it is committed", () => {
  test("by Enter, once", async (t) => {
    const { card, actions } = await withBot(t, { tag: "input", name: "reason" });
    await write(find(card, "input"), "ill");
    assert.deepEqual(actions, []);
    await key(find(card, "input"), "Enter");
    await leave(find(card, "input"));
    assert.deepEqual(actions, [action("input", { name: "reason", value: "ill", formValue: { reason: "ill" } })]);
  });
  test("by leaving it, unless nothing was changed", async (t) => {
    const { card, actions } = await withBot(t, { tag: "input", name: "reason", default_value: "ill" });
    await leave(find(card, "input"));
    await write(find(card, "input"), "well");
    await leave(find(card, "input"));
    assert.deepEqual(
      actions.map(({ value }) => value),
      ["well"],
    );
  });
  test("by Enter also with the text that the card gave it", async (t) => {
    const { card, actions } = await withBot(t, { tag: "input", default_value: "ill" });
    await key(find(card, "input"), "Enter");
    assert.deepEqual(actions, [action("input", { value: "ill" })]);
  });
  test("not by the Enter that ends a composition", async (t) => {
    const { card, actions } = await withBot(t, { tag: "input", name: "reason" });
    await write(find(card, "input"), "bing");
    await key(find(card, "input"), "Enter", { isComposing: true });
    assert.deepEqual(actions, []);
  });
  test("textarea: Enter begins a line, Ctrl+Enter and leaving it commit", async (t) => {
    const { card, actions, answer } = await withBot(t, { tag: "textarea", name: "note" });
    await write(find(card, "textarea"), "a");
    await key(find(card, "textarea"), "Enter");
    assert.deepEqual(actions, []);
    await key(find(card, "textarea"), "Enter", { ctrlKey: true });
    await answer();
    await write(find(card, "textarea"), "a\nb");
    await leave(find(card, "textarea"));
    assert.deepEqual(
      actions.map(({ value }) => value),
      ["a", "a\nb"],
    );
  });
});

describe("how a report fares", () => {
  test("a button shows that it is under way, then done, and cannot be pressed twice meanwhile", async (t) => {
    const { card, actions, answer } = await withBot(t, { tag: "button", text: { content: "Run" }, value: 1 });
    const button = find(card, "button");
    await press(button);
    await press(button);
    assert.equal(actions.length, 1);
    assert.equal(button?.getAttribute("aria-busy"), "true");
    assert.equal(find(card, "[role=status]")?.textContent, "Sending");
    await answer();
    assert.equal(button?.getAttribute("aria-busy"), "false");
    assert.equal(find(card, "[role=status]")?.textContent, "Sent");
    await press(button);
    assert.equal(actions.length, 2);
  });
  test("a refused one says so, and can be sent again", async (t) => {
    const { card, actions, answer, refuse } = await withBot(t, { tag: "input", name: "reason" });
    await write(find(card, "input"), "ill");
    await key(find(card, "input"), "Enter");
    await refuse();
    assert.match(card.one("input").textContent ?? "", /Not sent/);
    assert.equal(find(card, "[role=status]")?.textContent, "Not sent");
    await press(find(card, ".pc-failure button"));
    assert.equal(actions.length, 2);
    assert.deepEqual(actions[0], actions[1]);
    await answer();
    assert.equal(find(card, ".pc-failure"), null);
  });
  test("an onAction that throws is a refusal", async (t) => {
    const card = await renderElements(t, [{ tag: "button", text: { content: "Run" } }], {
      onAction() {
        throw new Error("offline");
      },
    });
    await press(find(card, "button"));
    assert.match(card.one("button").textContent ?? "", /Not sent/);
  });
  test("what is chosen while a report is under way follows it, the last alone", async (t) => {
    const { card, actions, answer } = await withBot(t, { tag: "select_static", options });
    for (const text of ["One", "Two", "Three"]) await choose(find(card, "select"), text);
    assert.deepEqual(
      actions.map(({ option }) => option),
      ["1"],
    );
    await answer();
    assert.deepEqual(
      actions.map(({ option }) => option),
      ["1", "Three"],
    );
  });
  test("disabled: nothing can be acted on, links stay", async (t) => {
    const tags = [
      "button",
      "overflow",
      "input",
      "textarea",
      "checkbox",
      "radio",
      "select_static",
      "multi_select_static",
      "date_picker",
    ];
    const elements = tags.map((tag) => ({ tag, options }));
    const card = await renderElements(t, [...elements, { tag: "button", url: "https://a.test" }], { disabled: true });
    for (const control of card.root.querySelectorAll("button, input, select, textarea")) {
      assert.ok(control.hasAttribute("disabled"), control.outerHTML);
    }
    assert.ok(find(card, "a"));
  });
  test("without onAction controls work and report nothing", async (t) => {
    const card = await renderElements(t, [{ tag: "checkbox", label: "x" }, { tag: "button" }]);
    await press(find(card, "input"));
    await press(find(card, "button"));
    assert.equal(card.root.querySelector("input")?.checked, true);
    assert.equal(find(card, "[aria-busy=true], [role=status]"), null);
  });
});

describe("card_link.url", () => {
  test("the title is the link, for those who use no mouse", async (t) => {
    const card = await renderElements(t, []);
    await card.update({ ...cardOf(), header: { title: "Post" }, card_link: { url: "https://a.test/x" } });
    assert.equal(find(card, "a[href='https://a.test/x']")?.textContent, "Post");
  });
  test("without a title a line below is", async (t) => {
    const card = await renderElements(t, []);
    await card.update({ ...cardOf({ tag: "text", content: "x" }), card_link: { url: "https://a.test/x" } });
    assert.equal(find(card, "a[href='https://a.test/x']")?.textContent, "Open a.test");
  });
});
