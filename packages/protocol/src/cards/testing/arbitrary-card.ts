import fc from "fast-check";
import { isJsonObject } from "../json-object.ts";
import { cardOf, nestedColumnSets, nestedForms } from "./build-card.ts";

interface Card {
  schema: unknown;
  body: unknown;
  header?: unknown;
}
/** A mutation of a valid card, which usually breaks one rule or just stays within it. */
type Fault = (card: Card) => void;

const CONTAINERS = ["form", "column", "interactive_container", "collapsible_panel", "img"];
const CHILD_FIELDS = ["elements", "columns", "children", "actions"];
const LINK_FIELDS = ["url", "img_url", "src"];
const MAX_LEVEL = 9;

const leaf = fc.constantFrom<unknown>(
  { tag: "hr" },
  { tag: "markdown", content: "**中文** 😀" },
  { tag: "button", url: "https://example.com", text: { tag: "plain_text", content: "x" } },
  { tag: "button", action: { url: "http://example.com" } },
  { tag: "img", img_key: "file_1" },
  { tag: "image", img_key: "https://example.com/a.png", url: null },
  { tag: "table", rows: [["a"], ["1"]] },
);

/** Lists of components for each level; the deepest are built first, because the others contain them. */
const lists: fc.Arbitrary<unknown[]>[] = [];
for (let level = MAX_LEVEL; level >= 1; level--) {
  const inner = lists[level + 1];
  const field = fc.constantFrom(...CHILD_FIELDS);
  const container =
    inner &&
    fc
      .tuple(fc.constantFrom(...CONTAINERS), field, inner)
      .map(([tag, field, children]): unknown => ({ tag, img_key: "file_2", [field]: children }));
  lists[level] = fc.array(container ? fc.oneof(leaf, container) : leaf, { maxLength: 3 });
}
const soundCard: fc.Arbitrary<Card> = (lists[1] ?? fc.constant([])).map((elements) => cardOf(...elements));

/** Copied each time, because a mutation may modify it. */
const odd = fc
  .constantFrom<unknown>(undefined, null, true, 0, 2, "", "text", "ftp://a", [], [5], {}, { tag: "hr" })
  .map((value) => structuredClone(value));
const position = fc.nat({ max: 50 });

const faults: fc.Arbitrary<Fault>[] = [
  fc.constantFrom<unknown>("1.0", 2, null, undefined).map((schema) => (card) => void Object.assign(card, { schema })),
  odd.map((body) => (card) => void Object.assign(card, { body })),
  odd.map((elements) => (card) => void Object.assign(card, { body: { elements } })),
  fc.tuple(position, odd).map(([at, value]) => (card) => {
    const all = listsOf(card).flatMap((list) => list.map((_, index) => ({ list, index })));
    const chosen = all[at % all.length];
    if (chosen) chosen.list[chosen.index] = value;
  }),
  onComponent(fc.oneof(odd, fc.constantFrom("div", "imgs", "__proto__", "text ")).map((tag) => ({ tag }))),
  onComponent(fc.tuple(fc.constantFrom(...LINK_FIELDS), odd).map(([field, link]) => ({ [field]: link }))),
  onComponent(odd.map((url) => ({ action: { url } }))),
  onComponent(odd.map((action) => ({ action }))),
  onComponent(
    fc.record({ tag: fc.constantFrom("img", "image"), img_key: odd, url: fc.constantFrom(null, "https://a") }),
  ),
  onComponent(fc.tuple(fc.constantFrom(...CHILD_FIELDS), odd).map(([field, value]) => ({ [field]: value }))),
  onComponent(fc.integer({ min: 1, max: 9 }).map((levels) => ({ elements: [nestedForms(levels)] }))),
  fc.integer({ min: 7, max: 10 }).map((levels) => append(() => [nestedForms(levels, { tag: "hr" })])),
  fc.integer({ min: 3, max: 6 }).map((levels) => append(() => [nestedColumnSets(levels)])),
  fc
    .integer({ min: 199, max: 202 })
    .map((total) =>
      append((card) => Array.from({ length: total - listsOf(card).flat().length }, () => ({ tag: "hr" }))),
    ),
  fc.integer({ min: 65_534, max: 65_539 }).map((bytes) => (card) => {
    card.header = "";
    card.header = "x".repeat(Math.max(0, bytes - Buffer.byteLength(JSON.stringify(card))));
  }),
];

/** Valid cards, and cards with one or two mutations. */
export const arbitraryCard: fc.Arbitrary<unknown> = fc
  .tuple(soundCard, fc.array(fc.oneof(...faults), { maxLength: 2 }))
  .map(([card, faults]) => {
    const changed = structuredClone(card);
    for (const fault of faults) fault(changed);
    return changed;
  });

/** Cards made of the words that the rules look for, in valid and invalid places. */
export const arbitraryWords: fc.Arbitrary<unknown> = fc
  .letrec<{ value: unknown; list: unknown[]; object: unknown }>((tie) => {
    const tag = fc.constantFrom("form", "img", "hr", "button", "column_set");
    const word = fc.constantFrom<unknown>("div", "https://a", "ftp://a", "file_1", "", "2.0", null, 0, true);
    const name = fc.constantFrom("tag", "img_key", "action", "__proto__", ...CHILD_FIELDS, ...LINK_FIELDS);
    const entries = fc.array(fc.tuple(name, tie("value")), { maxLength: 3 });
    return {
      value: fc.oneof({ maxDepth: 14 }, word, tie("list"), tie("list"), tie("object")),
      list: fc.array(fc.oneof({ weight: 9, arbitrary: tie("object") }, word), { maxLength: 3 }),
      object: fc.tuple(tag, entries).map(([tag, entries]) => Object.fromEntries([["tag", tag], ...entries])),
    };
  })
  .list.map((elements) => cardOf(...elements));

function onComponent(fields: fc.Arbitrary<object>): fc.Arbitrary<Fault> {
  return fc.tuple(position, fields).map(([at, fields]) => (card) => {
    const components = listsOf(card).flat().filter(isJsonObject);
    const chosen = components[at % components.length];
    if (chosen) Object.assign(chosen, fields);
  });
}

function append(components: (card: Card) => unknown[]): Fault {
  return (card) => listsOf(card)[0]?.push(...components(card));
}

/** The component lists of a card, `body.elements` first. */
function listsOf(card: Card): unknown[][] {
  const found: unknown[][] = [];
  const look = (holder: unknown): void => {
    if (!isJsonObject(holder)) return;
    const list = CHILD_FIELDS.map((field) => holder[field]).find((value) => value !== null && value !== undefined);
    if (!Array.isArray(list)) return;
    found.push(list);
    for (const component of list) look(component);
  };
  look(card.body);
  return found;
}
