import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, test } from "node:test";
import fc from "fast-check";
import { findCardProblems, type JsonObject } from "../index.ts";
import type { CardChange } from "./changes.ts";
import { convertCard, holdsCard } from "./convert-card.ts";

const text = (content: string) => ({ tag: "plain_text", content });

/** The components that one component becomes. */
function converted(element: unknown): unknown {
  const card = { schema: "2.0", body: { elements: [element] } };
  return (convertCard(card)?.card.body as JsonObject | undefined)?.elements;
}

function changesOf(value: unknown): string[] {
  return (convertCard(value)?.changes ?? []).map(({ kind, from, to, count }: CardChange) =>
    [kind, from, to, count].filter((part) => part !== "").join(" "),
  );
}

describe("converting cards of Feishu", () => {
  it("leaves a card alone that needs nothing", () => {
    assert.equal(
      convertCard({ schema: "2.0", body: { elements: [{ tag: "hr" }, { tag: "markdown", content: "x" }] } }),
      null,
    );
    assert.equal(convertCard({ some: "object" }), null);
    assert.equal(convertCard(null), null);
  });

  it("moves the top-level elements of the older form into the body, with its header and config", () => {
    const older = {
      config: { wide_screen_mode: true },
      header: { template: "red", title: text("Alert") },
      elements: [{ tag: "div", text: { tag: "lark_md", content: "**CPU** 97%" } }],
    };
    assert.deepEqual(convertCard(older), {
      card: {
        schema: "2.0",
        config: { wide_screen_mode: true },
        header: { template: "red", title: text("Alert") },
        body: { elements: [{ tag: "markdown", content: "**CPU** 97%" }] },
      },
      changes: [
        { kind: "older", from: "", to: "", count: 1 },
        { kind: "replaced", from: "div", to: "markdown", count: 1 },
      ],
    });
  });

  it("takes a card out of a call's body, also where it is text", () => {
    const card = { elements: [{ tag: "hr" }] };
    const expected = { schema: "2.0", body: { elements: [{ tag: "hr" }] } };
    assert.deepEqual(convertCard({ msg_type: "interactive", card })?.card, expected);
    assert.deepEqual(convertCard({ msg_type: "interactive", content: JSON.stringify(card) })?.card, expected);
    assert.ok(holdsCard({ card }));
    assert.ok(!holdsCard({ content: "not JSON" }));
  });

  it("turns the fields of a div into columns, and what stands beside it too", () => {
    const field = (content: string) => ({ is_short: true, text: { tag: "lark_md", content } });
    const column = (...elements: unknown[]) => ({ tag: "column", width: "weighted", weight: 1, elements });
    const one = (content: string) => column({ tag: "markdown", content });
    const fields = { tag: "column_set", flex_mode: "bisect", columns: [one("a"), one("b")] };
    assert.deepEqual(converted({ tag: "div", fields: [field("a"), field("b")] }), [fields]);
    assert.deepEqual(converted({ tag: "div", text: text("t"), extra: { tag: "button", text: text("Open") } }), [
      {
        tag: "column_set",
        columns: [
          column(text("t")),
          { tag: "column", width: "auto", elements: [{ tag: "button", text: text("Open") }] },
        ],
      },
    ]);
  });

  it("draws the actions of a row, which would be accepted and never shown", () => {
    const button = { tag: "button", text: text("OK") };
    assert.deepEqual(converted({ tag: "action", actions: [button] }), [{ tag: "action", elements: [button] }]);
  });

  it("keeps what a button does: the address that it opens, the value that it reports", () => {
    const open = { type: "open_url", default_url: "https://example.com/" };
    const call = { type: "callback", value: { id: 1 } };
    assert.deepEqual(converted({ tag: "button", behaviors: [open] }), [{ tag: "button", url: "https://example.com/" }]);
    assert.deepEqual(converted({ tag: "button", behaviors: [call] }), [{ tag: "button", value: { id: 1 } }]);
    assert.deepEqual(converted({ tag: "button", multi_url: { url: "https://example.com/" } }), [
      { tag: "button", url: "https://example.com/" },
    ]);
  });

  it("leaves out addresses that are refused", () => {
    assert.deepEqual(changesOf({ schema: "2.0", body: { elements: [{ tag: "button", url: "lark://x" }] } }), [
      "unlinked url 1",
    ]);
  });

  it("writes a table's cells as rows below their headings", () => {
    const table = {
      tag: "table",
      columns: [{ name: "who", display_name: "Who" }, { name: "n" }],
      rows: [{ who: ["Ann", "Bob"], n: 3 }, { who: [{ name: "Cy" }] }],
    };
    assert.deepEqual(converted(table), [
      {
        tag: "table",
        rows: [
          ["Who", "n"],
          ["Ann, Bob", "3"],
          ["Cy", ""],
        ],
      },
    ]);
  });

  it("keeps a chart whose values bars can show, and makes a table of one whose values they cannot", () => {
    const chart = (...values: unknown[]) => ({
      tag: "chart",
      chart_spec: { type: "bar", title: { text: "Load" }, data: { values }, xField: "x", yField: "y" },
    });
    assert.deepEqual(converted(chart({ x: "Mon", y: 40 })), [
      { tag: "chart", title: { content: "Load" }, data: [{ label: "Mon", value: 40 }] },
    ]);
    assert.deepEqual(converted(chart({ x: "Mon", y: 4_000 })), [
      {
        tag: "table",
        rows: [
          ["Load", ""],
          ["Mon", "4000"],
        ],
      },
    ]);
    assert.deepEqual(converted(chart()), []);
  });

  it("replaces what this service lacks with what comes nearest", () => {
    const options = [{ img_key: "https://example.com/a.png", value: "a" }];
    assert.deepEqual(converted({ tag: "select_img", name: "pick", options }), [
      { tag: "select_static", name: "pick", options: [{ text: text("a"), value: "a" }] },
      { tag: "img_combination", img_list: [{ img_key: "https://example.com/a.png" }] },
    ]);
    assert.deepEqual(converted({ tag: "person_v2", id: "ou_1" }), [{ tag: "person", id: "ou_1", user_id: "ou_1" }]);
    assert.deepEqual(converted({ tag: "checker", name: "c", text: text("Done") }), [
      { tag: "checkbox", name: "c", label: "Done" },
    ]);
    assert.deepEqual(converted({ tag: "repeat", variable: "v", elements: [{ tag: "hr" }] }), [
      { tag: "recycling_container", elements: [{ tag: "hr" }] },
    ]);
    assert.deepEqual(converted({ tag: "a", text: "Docs", href: "https://example.com/x y" }), [
      { tag: "markdown", content: "[Docs](https://example.com/x%20y)" },
    ]);
    assert.deepEqual(converted({ tag: "markdwon", content: "x" }), [{ tag: "markdown", content: "x" }]);
    assert.deepEqual(converted({ tag: "hologram", children: [{ tag: "hr" }] }), [
      { tag: "interactive_container", elements: [{ tag: "hr" }] },
    ]);
    assert.deepEqual(converted({ tag: "audio", file_key: "f" }), []);
  });

  it("declares the locales of a header that is translated", () => {
    const header = { title: { tag: "plain_text", content: "你好", i18n_content: { en_us: "Hello" } } };
    assert.deepEqual(convertCard({ schema: "2.0", header, body: { elements: [] } })?.card, {
      schema: "2.0",
      config: { locales: ["en_us"] },
      header: { title: { tag: "plain_text", content: "你好", i18n: { en_us: "Hello" } } },
      body: { elements: [] },
    });
  });

  it("says what is left to do: pictures to upload, variables to fill in", () => {
    const elements = [
      { tag: "img", img_key: "img_v2_x" },
      { tag: "div", text: text("Hi $" + "{name}") },
    ];
    assert.deepEqual(changesOf({ elements }), ["older 1", "pictures 1", "replaced div plain_text 1", "variables 1"]);
  });

  it("gives a card that breaks no rule of its components, whatever was pasted", () => {
    const tag = fc.constantFrom(
      "div",
      "hr",
      "img",
      "table",
      "column_set",
      "button",
      "chart",
      "note",
      "zzz",
      "checker",
      "repeat",
    );
    const { element } = fc.letrec((tie) => ({
      element: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        fc.jsonValue({ maxDepth: 1 }),
        fc.record(
          {
            tag: fc.oneof(tag, fc.jsonValue({ maxDepth: 0 })),
            text: fc.oneof(fc.string(), fc.record({ content: fc.string() })),
            url: fc.jsonValue({ maxDepth: 0 }),
            fields: fc.array(tie("element"), { maxLength: 2 }),
            elements: fc.oneof(fc.array(tie("element"), { maxLength: 3 }), fc.jsonValue({ maxDepth: 0 })),
            actions: fc.array(tie("element"), { maxLength: 2 }),
            columns: fc.array(tie("element"), { maxLength: 2 }),
            extra: tie("element"),
          },
          { requiredKeys: ["tag"] },
        ),
      ),
    }));
    const beyond = new Set(["component-count", "depth", "size"]);
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), (elements) => {
        const card = convertCard({ elements: JSON.parse(JSON.stringify(elements)) })?.card;
        assert.deepEqual(
          findCardProblems(card).filter(({ rule }) => !beyond.has(rule)),
          [],
        );
        assert.equal(convertCard(card), null, "a second conversion finds nothing to do");
      }),
      { numRuns: 300 },
    );
  });
});

const corpora = process.env.PORTICO_TEST_CORPORA;

describe("converting real cards of Feishu", () => {
  if (corpora === undefined) {
    test("the corpus", { skip: "set PORTICO_TEST_CORPORA to run" }, () => {});
    return;
  }
  const directory = join(corpora, "feishu-cards");
  const files = readdirSync(directory).filter((file) => file.endsWith(".json"));
  assert.ok(files.length > 0);
  for (const file of files) {
    test(`${file} breaks no rule afterwards`, () => {
      const card: unknown = JSON.parse(readFileSync(join(directory, file), "utf8"));
      const conversion = convertCard(card);
      assert.deepEqual(findCardProblems(conversion?.card ?? card), []);
      assert.equal(convertCard(conversion?.card), null);
    });
  }
});
