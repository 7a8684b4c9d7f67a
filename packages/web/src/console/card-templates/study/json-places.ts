import { jsonLanguage } from "@codemirror/lang-json";
import type { SyntaxNode, Tree } from "@lezer/common";

/** A part of a text, by offsets. */
export interface Place {
  from: number;
  to: number;
}

/** Reads JSON that may be unfinished: what is wrong becomes error nodes in the tree. */
export function readTree(text: string): Tree {
  return jsonLanguage.parser.parse(text);
}

/** The text's one value. */
export function topValue(tree: Tree): SyntaxNode | null {
  return valuesIn(tree.topNode)[0] ?? null;
}

/** The values of an array, in order. */
export function valuesIn(node: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (isValue(child)) values.push(child);
  }
  return values;
}

/** The value that stands under a key. Of several with that key the last one counts, as in JSON.parse. */
export function valueUnder(object: SyntaxNode, key: string, text: string): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  for (const property of object.getChildren("Property")) {
    if (keyOf(property, text) === key) found = propertyValue(property) ?? found;
  }
  return found;
}

/** The key of a property. */
export function keyOf(property: SyntaxNode, text: string): string {
  const name = property.getChild("PropertyName");
  return name === null ? "" : stringIn(name, text);
}

/** The value of a property. */
export function propertyValue(property: SyntaxNode): SyntaxNode | null {
  const last = property.lastChild;
  return last !== null && isValue(last) ? last : null;
}

/** The text that a string's node says; what is in it as it stands where it is no valid string. */
export function stringIn(node: SyntaxNode, text: string): string {
  const source = text.slice(node.from, node.to);
  try {
    return String(JSON.parse(source));
  } catch {
    return source.replace(/^"|"$/g, "");
  }
}

/**
 * Where the value of a JSON pointer (RFC 6901) stands: the value, or the first character of an object or array. A value
 * that is not there stands where the innermost one around it begins.
 */
export function placeOf(tree: Tree, text: string, pointer: string): Place {
  let node = topValue(tree);
  for (const token of pointer.split("/").slice(1)) {
    const inner = node === null ? null : childOf(node, token.replaceAll("~1", "/").replaceAll("~0", "~"), text);
    if (inner === null) break;
    node = inner;
  }
  if (node === null) return { from: 0, to: Math.min(1, text.length) };
  const isLong = node.name === "Object" || node.name === "Array";
  return { from: node.from, to: isLong ? node.from + 1 : node.to };
}

function childOf(node: SyntaxNode, token: string, text: string): SyntaxNode | null {
  if (node.name === "Object") return valueUnder(node, token, text);
  return node.name === "Array" ? (valuesIn(node)[Number(token)] ?? null) : null;
}

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

function isValue(node: SyntaxNode): boolean {
  return VALUES.has(node.name);
}
