import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { SyntaxNode } from "@lezer/common";
import { keyOf, propertyValue, stringIn, valueUnder } from "../study/json-places.ts";
import { fieldsOf } from "./card-fields.ts";

/** Offers the fields of the object that the cursor is in, and the values of the field. */
export function completeCard(context: CompletionContext): CompletionResult | null {
  const text = context.state.doc.toString();
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  const property = enclosing(node, "Property");
  if (node.name === "PropertyName" || node.name === "Object") return fieldCompletions(context, node, text);
  if (property === null) return null;
  const value = propertyValue(property);
  const isInValue = node.name === "Property" || (value !== null && value.from <= context.pos && !isNest(value));
  return isInValue ? valueCompletions(context, property, value, text) : null;
}

function fieldCompletions(context: CompletionContext, node: SyntaxNode, text: string): CompletionResult | null {
  const object = enclosing(node, "Object");
  if (object === null) return null;
  const isNamed = node.name === "PropertyName";
  const before = text.slice(0, context.pos).trimEnd().at(-1);
  if (!isNamed && !context.explicit && before !== "{" && before !== ",") return null;
  const property = isNamed ? node.parent : null;
  const hasValue = property !== null && text.slice(node.to).trimStart().startsWith(":");
  const taken = new Set(
    object
      .getChildren("Property")
      .filter((each) => each.from !== property?.from)
      .map((each) => keyOf(each, text)),
  );
  const options = Object.entries(fieldsOf(tagOf(object, text), pathOf(object, text)))
    .filter(([name]) => !taken.has(name))
    .map(([name, value]): Completion => {
      const begin = "begin" in value ? value.begin : (value.oneOf[0] ?? '""');
      return { label: `"${name}"`, type: "property", apply: hasValue ? `"${name}"` : `"${name}": ${begin}` };
    });
  if (options.length === 0) return null;
  return { from: isNamed ? node.from : context.pos, to: isNamed ? node.to : context.pos, options };
}

function valueCompletions(
  context: CompletionContext,
  property: SyntaxNode,
  value: SyntaxNode | null,
  text: string,
): CompletionResult | null {
  const object = property.parent;
  const name = property.getChild("PropertyName");
  if (object === null || name === null || !text.slice(name.to, context.pos).includes(":")) return null;
  const field = fieldsOf(tagOf(object, text), pathOf(object, text))[keyOf(property, text)];
  if (field === undefined || !("oneOf" in field)) return null;
  const options = field.oneOf.map((each): Completion => ({ label: each, type: "enum" }));
  const from = value?.from ?? context.pos;
  return { from, to: Math.max(value?.to ?? context.pos, context.pos), options };
}

function tagOf(object: SyntaxNode, text: string): string | undefined {
  const tag = valueUnder(object, "tag", text);
  return tag?.name === "String" ? stringIn(tag, text) : undefined;
}

/** The keys that lead to a node, from the card on; places in arrays count for nothing. */
function pathOf(node: SyntaxNode, text: string): string[] {
  const path: string[] = [];
  for (let at: SyntaxNode | null = node.parent; at !== null; at = at.parent) {
    if (at.name === "Property") path.unshift(keyOf(at, text));
  }
  return path;
}

function enclosing(node: SyntaxNode, name: string): SyntaxNode | null {
  let at: SyntaxNode | null = node;
  while (at !== null && at.name !== name) at = at.parent;
  return at;
}

function isNest({ name }: SyntaxNode): boolean {
  return name === "Object" || name === "Array";
}
