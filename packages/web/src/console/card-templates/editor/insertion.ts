import type { SyntaxNode } from "@lezer/common";
import { formatCard } from "../study/format-card.ts";
import { keyOf, readTree, topValue, valuesIn, valueUnder } from "../study/json-places.ts";

/** A change of a text, and what of the new text it put there. */
export interface Insertion {
  from: number;
  to: number;
  insert: string;
  /** The component itself, in the new text. */
  selection: { anchor: number; head: number };
}

const INDENT = "  ";

/**
 * Puts a component behind the one that the cursor is in, into the innermost list of components around it; at the end of
 * the body where the cursor is in none. A text without such a list becomes a card of this component.
 */
export function insertionOf(text: string, cursor: number, component: object): Insertion {
  const list = listAround(text, cursor);
  if (list === null) return newCard(text, component);
  const indent = indentAt(text, list.from) + INDENT;
  const json = formatCard(component).replaceAll("\n", `\n${indent}`);
  const values = valuesIn(list);
  const before = values.findLast(({ from }) => from < cursor) ?? (cursor <= list.from ? values.at(-1) : undefined);
  if (before !== undefined) return change(before.to, before.to, `,\n${indent}`, json, "");
  if (values.length > 0) return change(list.from + 1, list.from + 1, `\n${indent}`, json, ",");
  return change(list.from, list.to, `[\n${indent}`, json, `\n${indentAt(text, list.from)}]`);
}

function change(from: number, to: number, lead: string, json: string, tail: string): Insertion {
  const anchor = from + lead.length;
  return { from, to, insert: lead + json + tail, selection: { anchor, head: anchor + json.length } };
}

function newCard(text: string, component: object): Insertion {
  const insert = formatCard({ schema: "2.0", body: { elements: [component] } });
  return { from: 0, to: text.length, insert, selection: { anchor: 0, head: insert.length } };
}

/** The innermost `elements` around the cursor that is closed, else that of the body. */
function listAround(text: string, cursor: number): SyntaxNode | null {
  const tree = readTree(text);
  let node: SyntaxNode | null = tree.resolveInner(cursor, -1);
  for (; node !== null; node = node.parent) {
    const { parent } = node;
    const isList = node.name === "Array" && parent?.name === "Property" && keyOf(parent, text) === "elements";
    if (isList && isClosed(node, text)) return node;
  }
  const top = topValue(tree);
  const body = top?.name === "Object" ? valueUnder(top, "body", text) : null;
  const elements = body?.name === "Object" ? valueUnder(body, "elements", text) : null;
  return elements?.name === "Array" && isClosed(elements, text) ? elements : null;
}

function isClosed(list: SyntaxNode, text: string): boolean {
  return text.charAt(list.to - 1) === "]";
}

/** The blanks that a line begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}
