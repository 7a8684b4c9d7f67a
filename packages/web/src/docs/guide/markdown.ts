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
  const tokens = markdown.parse(text, {});
  const taken = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    const content = tokens[index + 1]?.content ?? "";
    if (token.type === "heading_open") token.attrSet("id", uniqueId(content, taken));
    if (token.type === "table_open") token.attrSet("tabindex", "0");
    if (token.type === "th_open" && content === "") leaveHeaderOut(token, tokens[index + 2]);
    resolveLinks(token.children ?? [], path);
  }
  return markdown.renderer.render(tokens, markdown.options, {});
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
