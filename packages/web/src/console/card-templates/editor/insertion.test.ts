import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findCardProblems } from "@portico/protocol/cards";
import fc from "fast-check";
import { unnamedControls } from "../../../../test/support/unnamed-controls.ts";
import { formatCard } from "../study/format-card.ts";
import { componentIn, PALETTE } from "./components.ts";
import { insertionOf } from "./insertion.ts";

const HR = { tag: "hr" };

/** The text after a component was put at the place of the bar. */
function inserted(marked: string, component: object = HR): string {
  const cursor = marked.indexOf("|");
  const text = marked.replace("|", "");
  const { from, to, insert, selection } = insertionOf(text, cursor, component);
  const after = text.slice(0, from) + insert + text.slice(to);
  assert.deepEqual(
    JSON.parse(after.slice(selection.anchor, selection.head)).tag ?? "hr",
    Reflect.get(component, "tag"),
  );
  return after;
}

describe("putting a component into a card", () => {
  it("puts it behind the component that the cursor is in", () => {
    const text = '{"body":{"elements":[{"tag":"a|"},{"tag":"b"}]}}';
    assert.deepEqual(JSON.parse(inserted(text)), { body: { elements: [{ tag: "a" }, HR, { tag: "b" }] } });
  });

  it("puts it first, into an empty list, and at the end when the cursor is elsewhere", () => {
    assert.deepEqual(JSON.parse(inserted('{"body":{"elements":[| {"tag":"a"}]}}')).body.elements, [HR, { tag: "a" }]);
    assert.deepEqual(JSON.parse(inserted('{"body":{"elements":[|]}}')).body.elements, [HR]);
    assert.deepEqual(JSON.parse(inserted('|{"body":{"elements":[{"tag":"a"}]}}')).body.elements, [{ tag: "a" }, HR]);
  });

  it("puts it into the innermost container, and leaves lists of other things alone", () => {
    const column = '{"tag":"column","elements":[{"tag":"x|"}]}';
    const text = `{"body":{"elements":[{"tag":"column_set","columns":[${column}]}]}}`;
    assert.deepEqual(JSON.parse(inserted(text)).body.elements[0].columns[0].elements, [{ tag: "x" }, HR]);
    const table = '{"body":{"elements":[{"tag":"table","rows":[["a|"]]}]}}';
    assert.deepEqual(JSON.parse(inserted(table)).body.elements, [{ tag: "table", rows: [["a"]] }, HR]);
  });

  it("begins a card where there is none", () => {
    const { insert, from, to } = insertionOf("", 0, HR);
    assert.deepEqual([JSON.parse(insert), from, to], [{ schema: "2.0", body: { elements: [HR] } }, 0, 0]);
  });

  it("gives each control a name, so that a bot hears of it", () => {
    for (const entry of PALETTE.flatMap((group) => group.entries))
      assert.deepEqual(unnamedControls(componentIn("en-US", entry)), []);
  });

  it("keeps a card valid, wherever the cursor is and whatever is put there", () => {
    const entries = PALETTE.flatMap((group) => group.entries);
    const nested = { tag: "form", elements: [{ tag: "column_set", columns: [{ tag: "column", elements: [] }] }] };
    const text = formatCard({ schema: "2.0", header: { title: { content: "x" } }, body: { elements: [HR, nested] } });
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.constantFrom(...entries),
        fc.constantFrom("zh-CN", "en-US"),
        (at, entry, locale) => {
          const { from, to, insert } = insertionOf(text, at, componentIn(locale, entry));
          assert.deepEqual(findCardProblems(JSON.parse(text.slice(0, from) + insert + text.slice(to))), []);
        },
      ),
    );
  });
});
