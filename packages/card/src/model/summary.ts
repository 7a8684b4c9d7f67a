import { isJsonObject, type JsonObject, listOf, member, objectOf } from "./json.ts";
import { DRAWN } from "./limits.ts";
import { declaredLocales, localText } from "./locale.ts";
import { markdownText } from "./markdown.ts";
import { type CardNode, readCard } from "./read-card.ts";
import { cut, firstText, textOf } from "./text.ts";

const MARKDOWN = new Set(["markdown", "lark_md"]);
/** Read no more of a text than can be in its line. */
const READ_CHARS = 4 * DRAWN.summaryChars;

/**
 * One line that stands for a card in a list: `config.summary.content`, else the header's title, else the first text in
 * its body; empty when there is none. At most 120 characters.
 */
export function cardSummary(card: unknown, locale: string): string {
  if (!isJsonObject(card)) return "";
  const config = objectOf(card, "config");
  const declared = declaredLocales(config);
  const summary = localText(member(config, "summary"), locale, declared);
  return oneLine(summary) || oneLine(titleOf(card, locale, declared)) || firstOf(readCard(card, locale).nodes);
}

function titleOf(card: JsonObject, locale: string, declared: ReadonlySet<string>): string {
  return localText(member(objectOf(card, "header"), "title"), locale, declared);
}

function firstOf(nodes: readonly CardNode[]): string {
  for (const node of nodes) {
    if (node.kind !== "element") continue;
    const text = oneLine(ownText(node.tag, node.element)) || firstOf(node.children);
    if (text !== "") return text;
  }
  return "";
}

function ownText(tag: string, element: JsonObject): string {
  if (MARKDOWN.has(tag)) return markdownText(textOf(member(element, "content")).slice(0, READ_CHARS));
  return firstText(element, ["content", "text", "title", "header", "label"]) || cellText(element);
}

function cellText(element: JsonObject): string {
  const [first] = listOf(element, "rows");
  return Array.isArray(first) ? first.slice(0, DRAWN.columns).map(textOf).join(" ") : "";
}

function oneLine(text: string): string {
  return cut(text.slice(0, READ_CHARS).replace(/\s+/g, " ").trim(), DRAWN.summaryChars);
}
