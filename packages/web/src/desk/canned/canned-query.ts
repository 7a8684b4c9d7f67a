import type { CannedReply } from "@portico/protocol/schemas";

/** The shortcut that is being typed after a "/": where it stands in the text, and what of it is there. */
export interface CannedQuery {
  start: number;
  end: number;
  prefix: string;
}

/** So many are offered. */
const MOST_OFFERED = 8;
const TYPED = /(?:^|\s)\/([\p{L}\p{N}_-]{0,32})$/u;

/** The shortcut that is being typed at the caret; null when none is. A "/" inside a word, as in an address, begins none. */
export function cannedQueryAt(text: string, caret: number): CannedQuery | null {
  const [, prefix] = TYPED.exec(text.slice(0, caret)) ?? [];
  return prefix === undefined ? null : { start: caret - prefix.length - 1, end: caret, prefix };
}

/** The replies that fit: those whose shortcut begins so, then those that have it in shortcut or text. */
export function fittingReplies(replies: readonly CannedReply[], prefix: string): CannedReply[] {
  const wanted = prefix.toLowerCase();
  const begins = replies.filter(({ shortcut }) => shortcut.toLowerCase().startsWith(wanted));
  if (begins.length >= MOST_OFFERED || wanted === "") return begins.slice(0, MOST_OFFERED);
  const has = replies.filter((reply) => !begins.includes(reply) && saysIt(reply, wanted));
  return [...begins, ...has].slice(0, MOST_OFFERED);
}

/** What placeholders stand for. */
export interface Blanks {
  visitor: string;
  agent: string;
  app: string;
}

/**
 * A reply's text with its placeholders filled in. What is no placeholder stays as it is; of one that stands for nothing the
 * space before it goes too: "Hello {{visitor.nickname}}," to somebody whose name is not known is "Hello,".
 */
export function filledIn(text: string, { visitor, agent, app }: Blanks): string {
  const blanks: Readonly<Record<string, string>> = {
    "visitor.nickname": visitor,
    "agent.name": agent,
    "app.name": app,
  };
  return text.replace(/([^\S\n]?)\{\{\s*([\w.]{1,32})\s*\}\}/g, (whole, space: string, name: string) => {
    const words = Object.hasOwn(blanks, name) ? blanks[name] : undefined;
    if (words === undefined) return whole;
    return words === "" ? "" : space + words;
  });
}

/** The text with a reply in place of what was typed, and where the caret goes. */
export function withReply(text: string, { start, end }: CannedQuery, reply: string): { text: string; caret: number } {
  const before = text.slice(0, start) + reply;
  return { text: before + text.slice(end), caret: before.length };
}

function saysIt({ shortcut, text }: CannedReply, wanted: string): boolean {
  return shortcut.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted);
}
