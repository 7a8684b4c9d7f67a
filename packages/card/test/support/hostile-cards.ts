import { CARD_TAGS } from "@portico/protocol";
import type { NamedCard } from "../../gallery/named-card.ts";
import { cardOf } from "./cards.ts";

/** Sets a mark on the page if any of it runs. */
const RUN = "globalThis.ran=1";
const MARKUP = `"><script>${RUN}</script><img src=x onerror="${RUN}"><svg onload="${RUN}"><style>*{display:none}</style>\${${RUN}}`;
const LINKS = [
  `javascript:${RUN}`,
  ` javascript:${RUN}`,
  `java\nscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  "vbscript:x",
];
const WORD = "W".repeat(64 * 1024);
const RIGHT_TO_LEFT = "\u202Eevil\u202D \u2067right\u2066 left \u202Egnp.exe";
const FIELDS =
  "content text label title header name user_name user_id token alt placeholder value id url img_url src img_key avatar_url avatar default_value initial_date type color size style width".split(
    " ",
  );
const LISTS = "elements columns children options rows data persons img_list".split(" ");

const TEXTS = "plain_text markdown note text_tag icon".split(" ");

/** A component with the same value in all of its fields. */
function full(tag: string, value: unknown): Record<string, unknown> {
  return { ...Object.fromEntries(FIELDS.map((field) => [field, value])), ...lists(value), tag };
}

function lists(value: unknown): Record<string, unknown> {
  const entry = { text: value, value, name: value, label: value, y: value, avatar_url: value, img_url: value };
  return {
    options: [entry, value],
    data: [entry, value],
    persons: [entry, value],
    img_list: [entry, value],
    rows: [[value, value], [value], value],
  };
}

function everywhere(value: unknown): Record<string, unknown> {
  const text = { content: value, i18n: { "en-US": value } };
  return {
    schema: "2.0",
    config: { locales: ["en-US"], summary: text, width_mode: value, horizontal_align: value },
    header: {
      title: text,
      subtitle: text,
      icon: { token: value },
      template: value,
      text_tag_list: [full("text_tag", value)],
    },
    card_link: { url: value },
    body: { elements: CARD_TAGS.map((tag) => full(tag, value)) },
  };
}

function nested(tag: string, levels: number): Record<string, unknown> {
  let inner: Record<string, unknown> = { tag: "text", content: "innermost" };
  for (let level = 0; level < levels; level += 1)
    inner = { tag, [tag === "column_set" ? "columns" : "elements"]: [inner] };
  return inner;
}

/** Cards that nobody sends in good faith. */
export const HOSTILE_CARDS: readonly NamedCard[] = [
  ["markup in every field", everywhere(MARKUP)],
  ["markup in content of every field", everywhere({ content: MARKUP })],
  ...LINKS.map((link, n) => [`link ${n} in every field`, everywhere(link)] as const),
  [
    "links and markup in Markdown",
    cardOf({
      tag: "markdown",
      content: [
        ...LINKS.map((link) => `[a](${link}) ![a](${link}) <${link}> <link url="${link}">a</link>`),
        MARKUP,
      ].join("\n\n"),
    }),
  ],
  [
    "styles",
    cardOf({ tag: "markdown", content: `<font color="red;position:fixed;inset:0">x</font>`, style: "position:fixed" }),
  ],
  ["nested 200 deep", cardOf(nested("form", 200), nested("column_set", 200), { tag: "text", content: "after" })],
  ["a huge table", cardOf({ tag: "table", rows: Array(500).fill(Array(200).fill("cell")) })],
  [
    "a table of 20,000 columns with 20,000 rows",
    cardOf({ tag: "table", columns: Array(20_000).fill({ name: "a" }), rows: Array(20_000).fill({ a: "cell" }) }),
  ],
  [
    "wide tables of Markdown",
    cardOf(
      ...["x", "W".repeat(300)].map((cell) => ({
        tag: "markdown",
        content: ["head", "-", cell].map((one) => `|${`${one}|`.repeat(80)}`.slice(0, 3900)).join("\n"),
      })),
    ),
  ],
  [
    "tables of Markdown whose rows are to be completed",
    cardOf(
      ...Array.from({ length: 16 }, () => ({
        tag: "markdown",
        content: `|${"a|".repeat(500)}\n|${"-|".repeat(500)}\n${"b\n".repeat(900)}`,
      })),
    ),
  ],
  ["an ordered list from 999,999,998 on", cardOf({ tag: "markdown", content: "999999998. a\n1. b\n1. c" })],
  ["a host of 60,000 characters", everywhere(`https://${"a.".repeat(30_000)}test/`)],
  ["100,000 components", cardOf(...Array(100_000).fill({ tag: "hr" }))],
  [
    "lists without end",
    cardOf(
      ...CARD_TAGS.map((tag) => ({
        tag,
        ...Object.fromEntries(LISTS.map((list) => [list, Array(300).fill({ text: "x", name: "x", tag: "text_tag" })])),
      })),
    ),
  ],
  ["a long word in every field", everywhere(WORD.slice(0, 2048))],
  [
    "a word of 64 KiB in every text",
    cardOf(
      ...TEXTS.map((tag) => ({ tag, content: WORD })),
      { tag: "button", text: WORD },
      { tag: "input", label: WORD },
    ),
  ],
  [
    "a word of 64 KiB in columns",
    cardOf({
      tag: "column_set",
      columns: [1, 2, 3].map(() => ({ tag: "column", width: "auto", elements: [{ tag: "markdown", content: WORD }] })),
    }),
  ],
  ["right to left", everywhere(RIGHT_TO_LEFT)],
  [
    "pictures of any size",
    cardOf(
      { tag: "img", img_url: "https://pictures.example/huge.svg" },
      { tag: "img", img_url: "https://pictures.example/huge.svg", size: "999px 999px" },
      { tag: "person", name: "x", avatar_url: "https://pictures.example/huge.svg" },
      { tag: "markdown", content: "a ![huge](https://pictures.example/huge.svg) b" },
    ),
  ],
  [
    "Markdown nested without end",
    cardOf(
      ...["> ", "- ", "[", "*a ", "<font color='red'>", "![", "`", "| "].map((part) => ({
        tag: "markdown",
        content: part.repeat(4000),
      })),
    ),
  ],
  [
    "keys of prototypes",
    JSON.parse(
      '{"schema":"2.0","__proto__":{"header":{"title":"x"}},"body":{"elements":[{"tag":"__proto__"},{"tag":"constructor"},{"tag":"toString","elements":[]},{"tag":"select_static","name":"__proto__","options":[{"text":"a","value":"b"}]}]}}',
    ),
  ],
  ...[null, 7, "card", [], {}, { body: 1 }, { body: { elements: {} } }].map(
    (card, n) => [`no card ${n}`, card] as const,
  ),
  ...[null, true, -1e308, [], [[[]]], {}, { content: {} }].map(
    (value, n) => [`value ${n} in every field`, everywhere(value)] as const,
  ),
].map(([name, card]) => ({ name: String(name), card }));
