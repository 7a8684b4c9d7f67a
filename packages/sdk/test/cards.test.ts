import assert from "node:assert/strict";
import { test } from "node:test";
import { CARD_TAGS, validateCard } from "@portico/protocol";
import {
  assertCard,
  button,
  type Card,
  card,
  collapsiblePanel,
  column,
  columnSet,
  component,
  form,
  hr,
  InvalidCardError,
  img,
  markdown,
  plainText,
  table,
} from "@portico/sdk";
import * as cards from "../src/cards/index.ts";

test("a card reads in code as it does in JSON", () => {
  const built = card({
    header: { title: { content: "Build 1234 failed" } },
    config: { width_mode: "fill", summary: { content: "Build 1234" } },
    card_link: { url: "https://ci.example.com/1234" },
    elements: [
      markdown("**main** broke"),
      img({ img_key: "https://ci.example.com/graphs/1234.png" }),
      columnSet(column(markdown("Author")), column(plainText("Alice"), hr())),
      table(["Test", "Time"], ["keeps a nonce", 4]),
      button("Open", { url: "https://ci.example.com/1234" }),
      button("Run again", { value: { build: 1234 } }),
    ],
  });
  assert.deepEqual(JSON.parse(JSON.stringify(built)), {
    schema: "2.0",
    header: { title: { content: "Build 1234 failed" } },
    config: { width_mode: "fill", summary: { content: "Build 1234" } },
    card_link: { url: "https://ci.example.com/1234" },
    body: {
      elements: [
        { tag: "markdown", content: "**main** broke" },
        { tag: "img", img_key: "https://ci.example.com/graphs/1234.png" },
        {
          tag: "column_set",
          columns: [
            { tag: "column", elements: [{ tag: "markdown", content: "Author" }] },
            { tag: "column", elements: [{ tag: "plain_text", content: "Alice" }, { tag: "hr" }] },
          ],
        },
        {
          tag: "table",
          rows: [
            ["Test", "Time"],
            ["keeps a nonce", 4],
          ],
        },
        { tag: "button", text: { tag: "plain_text", content: "Open" }, url: "https://ci.example.com/1234" },
        { tag: "button", text: { tag: "plain_text", content: "Run again" }, value: { build: 1234 } },
      ],
    },
  });
});

test("every function makes a component that the service accepts", () => {
  const { card: _, assertCard: __, InvalidCardError: ___, component: ____, ...functions } = cards;
  const made: Record<keyof typeof functions, cards.Component> = {
    button: button("Open", { value: null }),
    chart: cards.chart({ label: "main", value: 97 }),
    checkbox: cards.checkbox({ name: "agree", label: "I agree" }),
    collapsiblePanel: collapsiblePanel("Log", markdown("…")),
    column: column(),
    columnSet: columnSet(),
    form: form(hr()),
    hr: hr(),
    img: img({ img_url: "https://example.com/a.png" }),
    input: cards.input({ name: "reason", placeholder: "Why?" }),
    interactiveContainer: cards.interactiveContainer(hr()),
    markdown: markdown("_text_"),
    multiSelectStatic: cards.multiSelectStatic({ name: "who", options: [{ text: "Ann", value: "u_ann" }] }),
    note: cards.note("small"),
    person: cards.person({ name: "Ann", avatar_url: "https://example.com/a.png" }),
    personList: cards.personList({ name: "Ann" }, { name: "Bob" }),
    plainText: plainText("text"),
    selectStatic: cards.selectStatic({ name: "who", options: [{ text: plainText("Ann"), value: "u_ann" }] }),
    table: table(["Name"]),
    textarea: cards.textarea({ name: "reason" }),
  };
  assert.deepEqual(Object.keys(made).sort(), Object.keys(functions).sort());
  for (const [name, element] of Object.entries(made)) assert.doesNotThrow(() => validateCard(cardOf(element)), name);
});

test("a component of every tag can be made with any fields", () => {
  for (const tag of CARD_TAGS) {
    const made = component(tag, { img_key: "https://example.com/a.png", future: [1] });
    assert.equal(made.tag, tag);
    validateCard(JSON.parse(JSON.stringify(cardOf(made))));
  }
});

test("a component is a plain object that can have further fields", () => {
  const primary = { ...button("Merge", { value: 1 }), type: "primary" };
  assert.deepEqual(card({ elements: [primary] }).body.elements[0], primary);
});

test("keys such as __proto__ are data", () => {
  const value: unknown = JSON.parse('{"__proto__": {"tag": "evil"}}');
  const built = card({ elements: [button("Run", { value }), component("note", { ...(value as object) })] });
  assert.equal(
    JSON.stringify(built.body.elements),
    '[{"tag":"button","text":{"tag":"plain_text","content":"Run"},"value":{"__proto__":{"tag":"evil"}}},' +
      '{"tag":"note","__proto__":{"tag":"evil"}}]',
  );
});

test("a card that breaks rules is refused with all findings, each with its position and a suggestion", () => {
  const elements = [img({ img_key: "" }), button("Open", { url: "ci.example.com" }), deep(9)];
  assert.throws(
    () => card({ elements }),
    (error) => {
      assert.ok(error instanceof InvalidCardError);
      assert.deepEqual(
        error.findings.map(({ rule, pointer }) => [rule, pointer]),
        [
          ["link", "/body/elements/1/url"],
          ["depth", `/body/elements/2${"/elements/0".repeat(8)}/elements`],
          ["image-key", "/body/elements/0/img_key"],
        ],
      );
      assert.match(
        error.message,
        /^the card breaks rules:\n\/body\/elements\/1\/url: 卡片链接仅支持HTTP\/HTTPS地址\. /,
      );
      assert.match(error.message, /beginning with https:\/\//);
      return true;
    },
  );
});

test("a JSON value becomes a card when it keeps the rules", () => {
  const given: unknown = JSON.parse('{"schema": "2.0", "body": {"elements": [{"tag": "hr"}]}}');
  assertCard(given);
  const known: Card = given;
  assert.equal(known.body.elements[0]?.tag, "hr");
  assert.throws(() => assertCard([]), { name: "InvalidCardError", message: /\n\(card\): 仅支持schema为2.0的卡片/ });
});

test("mistakes in card code are type errors", () => {
  const mistakes = [
    // @ts-expect-error: only columns stand in a column set.
    () => columnSet(markdown("Author")),
    // @ts-expect-error: a button that opens an address sends no value.
    () => button("Open", { url: "https://example.com", value: 1 }),
    // @ts-expect-error: a picture has either a key or an address.
    () => img({ img_key: "file_1", img_url: "https://example.com/a.png" }),
    // @ts-expect-error: there is no such tag.
    () => component("markdwon", { content: "text" }),
    // @ts-expect-error: the tag is given once.
    () => component("markdown", { tag: "hr" }),
    // @ts-expect-error: text is no component.
    () => form("text"),
    // @ts-expect-error: a control has a name.
    () => cards.input({ placeholder: "Why?" }),
    // @ts-expect-error: there is no such width.
    () => card({ elements: [], config: { width_mode: "wide" } }),
  ];
  assert.equal(mistakes.length, 8);
});

function cardOf(...elements: cards.Component[]) {
  return { schema: "2.0", body: { elements } };
}

/** Forms nested `levels` deep. */
function deep(levels: number): cards.Component {
  return levels === 1 ? form() : form(deep(levels - 1));
}
