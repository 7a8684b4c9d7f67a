import MarkdownIt, { type Token } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import { ALL_PAGES } from "./guide-index.ts";

const PAGES: ReadonlySet<string> = new Set(ALL_PAGES.map(({ path }) => path));

/** A link to another file of Markdown, by its path from this one. */
const FILE_LINK = /^(?!\w+:|\/|#)([^#]+)\.md(#.*)?$/;

const markdown = new MarkdownIt({ html: false, linkify: false }).use(cjkFriendly);

// What scrolls has to be reached by keyboard.
for (const rule of ["fence", "code_block"] as const) {
  const draw = markdown.renderer.rules[rule];
  markdown.renderer.rules[rule] = (...given) => draw?.(...given).replace(/^<pre>/, '<pre tabindex="0">') ?? "";
}

/**
 * The HTML of a page of the guide. Its headings have ids, as on code hosts, so that `page.md#a-heading` works in both
 * places. HTML within the text stays text.
 *
 * @param path the page's own, from which its links are resolved.
 */
export function renderGuide(text: string, path: string): string {
  const tokens = parsed(text);
  for (const [index, token] of tokens.entries()) {
    if (token.type === "table_open") token.attrSet("tabindex", "0");
    const isEmpty = (tokens[index + 1]?.content ?? "") === "";
    if (token.type === "th_open" && isEmpty) leaveHeaderOut(token, tokens[index + 2]);
    resolveLinks(token.children ?? [], path);
  }
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** A part of a page: what stands between two headings. */
export interface GuideSectionText {
  /** The id of its heading; empty before the first. */
  anchor: string;
  heading: string;
  /** In one line, without marks. */
  text: string;
}

/** The parts of a page, as a search reads them. */
export function sectionsOf(text: string): GuideSectionText[] {
  const sections = [{ anchor: "", heading: "", texts: [] as string[] }];
  const tokens = parsed(text);
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = plainTextOf(tokens[index + 1]);
      sections.push({ anchor: String(token.attrGet("id")), heading, texts: [] });
    } else if (tokens[index - 1]?.type !== "heading_open") {
      sections.at(-1)?.texts.push(token.type === "inline" ? plainTextOf(token) : token.content);
    }
  }
  const written = sections.map(({ anchor, heading, texts }) => ({ anchor, heading, text: inOneLine(texts) }));
  return written.filter(({ heading, text: said }) => heading !== "" || said !== "");
}

function plainTextOf(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (type === "softbreak" ? " " : content)).join("");
}

function inOneLine(texts: readonly string[]): string {
  return texts.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** The tokens of a page, its headings with their ids. */
function parsed(text: string): Token[] {
  const tokens = markdown.parse(text, {});
  const taken = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") token.attrSet("id", uniqueId(tokens[index + 1]?.content ?? "", taken));
  }
  return tokens;
}

/** A header without a text is an ordinary cell: there is nothing that it could be the header by. */
function leaveHeaderOut(open: Token, close: Token | undefined): void {
  open.tag = "td";
  if (close !== undefined) close.tag = "td";
}

/** Has links lead to the guide's pages; what is in the repository alone is no link here. */
function resolveLinks(tokens: readonly Token[], from: string): void {
  let isHere = true;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const href = pageOf(String(token.attrGet("href") ?? ""), from);
      isHere = href !== null;
      token.attrs = isHere ? [["href", href ?? ""]] : null;
    }
    if (token.type.startsWith("link_") && !isHere) token.tag = "span";
  }
}

/** The address of what a page links to; null for a file that is no page. */
function pageOf(href: string, from: string): string | null {
  const [, target, anchor = ""] = FILE_LINK.exec(href) ?? [];
  if (target === undefined) return /^(?:\w+:|\/|#)/.test(href) ? href : null;
  // Two folders above the page's own: a path that leaves the docs is told from one that does not.
  const { pathname } = new URL(target, `http://guide/repository/docs/${from}`);
  const path = pathname.replace(/^\/repository\/docs\//, "");
  return PAGES.has(path) ? `/docs/guide/${path}${anchor}` : null;
}

function uniqueId(heading: string, taken: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  const before = taken.get(id) ?? 0;
  taken.set(id, before + 1);
  return before === 0 ? id : `${id}-${before}`;
}
