import MarkdownIt, { type Token } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import { linkifier } from "./linkify.ts";
import { boundedTables } from "./markdown-tables.ts";
import { cardTags } from "./markdown-tags.ts";
import { textOf } from "./text.ts";

/** A piece of Markdown. `type` is markdown-it's name for it, without `_open`. */
export interface MarkdownNode {
  type: string;
  /** Of text and code. */
  content: string;
  /** Of a link or picture: the address as written, not checked yet. */
  address: string;
  /** Of a heading `h1` to `h6`; else markdown-it's tag. */
  tag: string;
  /** Where an ordered list begins. */
  start: number;
  attributes: Readonly<Record<string, unknown>>;
  children: MarkdownNode[];
}

const NESTING_MAX = 24;
/** After these no word goes on. */
const ENDS_LINE = new Set(["p", "br", "h1", "h2", "h3", "h4", "h5", "h6", "li", "th", "td", "hr"]);

const parser = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: NESTING_MAX })
  // Without it `**「粗体」**文字` is not bold: words of Chinese and Japanese are not set apart by spaces.
  .use(cjkFriendly)
  .use(cardTags)
  .use(boundedTables);
// Addresses are checked where they are drawn: a link that may not be opened keeps its words.
parser.validateLink = () => true;
parser.linkify = linkifier;

/** Parses Markdown into a tree. Nothing of it is HTML: what the text says in tags is text. */
export function parseMarkdown(text: string): MarkdownNode[] {
  return treeOf(parser.parse(text, {}));
}

/** The words of a Markdown text, for where it cannot be drawn. */
export function markdownText(text: string): string {
  return wordsOf(parseMarkdown(text)).trim();
}

function wordsOf(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => ownWords(node) + wordsOf(node.children) + (ENDS_LINE.has(node.tag) ? "\n" : "")).join("");
}

function ownWords(node: MarkdownNode): string {
  const mentioned = mentionedIn(node);
  return mentioned === "" ? node.content : `@${mentioned}`;
}

/** Whom `<person>` or `<at>` names; empty for other pieces. */
export function mentionedIn({ type, attributes }: MarkdownNode): string {
  return type === "person" || type === "at" ? textOf(attributes.name) || textOf(attributes.id) : "";
}

/** Ends that fit no beginning are dropped, and what has no end ends with what is around it. */
function treeOf(tokens: readonly Token[]): MarkdownNode[] {
  const root = nodeOf("root", null);
  const open = [root];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.hidden) continue;
    if (token.type === "inline") parent.children.push(...treeOf(token.children ?? []));
    else if (token.type.endsWith("_close")) close(open, token.type.replace(/_close$/, ""));
    else {
      const node = nodeOf(token.type.replace(/_open$/, ""), token);
      parent.children.push(node);
      if (token.type.endsWith("_open") && open.length < 2 * NESTING_MAX) open.push(node);
    }
  }
  return root.children;
}

function close(open: MarkdownNode[], type: string): void {
  const index = open.findLastIndex((node) => node.type === type);
  if (index > 0) open.length = index;
}

function nodeOf(type: string, token: Token | null): MarkdownNode {
  const start = Number(token?.attrGet("start") ?? 1);
  return {
    type,
    content: type === "image" ? "" : (token?.content ?? ""),
    address: String(token?.attrGet("href") ?? token?.attrGet("src") ?? ""),
    tag: token?.tag ?? "",
    start: Number.isSafeInteger(start) ? start : 1,
    attributes: token?.meta ?? {},
    children: type === "image" ? treeOf(token?.children ?? []) : [],
  };
}
