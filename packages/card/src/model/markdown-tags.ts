import type { MarkdownIt, StateInline } from "markdown-it";

/**
 * Tags that cards carry in their Markdown, as those written for Feishu do: `<font color="red">…</font>` and a few more.
 * They are parsed here into tokens of their own; there is no HTML, and every other tag stays text.
 */
const TAG = /<(\/?)(font|text_tag|number_tag|link|person|at)(\s[^<>]{0,1000})?\s?\/?>/y;
const ATTRIBUTE = /([a-z_]{1,32})\s*=\s*(?:"([^"]{0,1000})"|'([^']{0,1000})'|([^\s"'>]{1,1000}))/g;
const LESS_THAN = 0x3c;
const VOID = new Set(["person", "at"]);

/** Adds the tags to a parser: tokens `font_open`, `font_close` and so on, and `person`, their attributes in `meta`. */
export function cardTags(md: MarkdownIt): void {
  md.inline.ruler.before("autolink", "card_tag", cardTag);
}

function cardTag(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== LESS_THAN) return false;
  TAG.lastIndex = state.pos;
  const found = TAG.exec(state.src);
  if (found === null || state.pos + found[0].length > state.posMax) return false;
  const [whole, slash, name = "", attributes = ""] = found;
  if (!silent) pushTag(state, name, slash === "/", attributes);
  state.pos += whole.length;
  return true;
}

function pushTag(state: StateInline, name: string, isEnd: boolean, attributes: string): void {
  // None of them nests as far as the parser is concerned, which loses count when an end has no beginning.
  if (VOID.has(name)) {
    // Its content, a name, is between the tags; the end says nothing more.
    if (!isEnd) state.push(name, "", 0).meta = attributesIn(attributes);
  } else if (isEnd) {
    state.push(`${name}_close`, "", 0);
  } else {
    state.push(`${name}_open`, "", 0).meta = attributesIn(attributes);
  }
}

function attributesIn(text: string): Record<string, unknown> {
  const found = new Map<string, string>();
  for (const [, name = "", double, single, bare] of text.matchAll(ATTRIBUTE)) {
    found.set(name, double ?? single ?? bare ?? "");
  }
  return Object.fromEntries(found);
}
