import type { Mention } from "@portico/protocol/schemas";

/** A piece of a text. */
export type TextPart =
  | { kind: "text"; text: string }
  | { kind: "link"; text: string; href: string }
  | { kind: "mention"; text: string; userId: string };

/** So much of a text is searched for links and names; what follows is shown as it is. */
const SEARCHED_LENGTH = 20_000;
const LINK = /https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]+/gi;
/** What a sentence puts after a link. */
const TRAILING = new Set(".,;:!?)]}");

/** Takes a text apart into links, the names of those it mentions ("@" before the name), and the rest. */
export function partsOf(text: string, mentions: readonly Mention[]): TextPart[] {
  const searched = text.slice(0, SEARCHED_LENGTH);
  const parts: TextPart[] = [];
  let at = 0;
  for (const found of findAll(searched, mentions)) {
    if (found.at < at) continue;
    if (found.at > at) parts.push({ kind: "text", text: searched.slice(at, found.at) });
    parts.push(found.part);
    at = found.at + found.part.text.length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

function findAll(text: string, mentions: readonly Mention[]): { at: number; part: TextPart }[] {
  const links = [...text.matchAll(LINK)].flatMap((match) => {
    const address = withoutTrailing(match[0]);
    return URL.canParse(address)
      ? [{ at: match.index, part: { kind: "link" as const, text: address, href: new URL(address).href } }]
      : [];
  });
  return [...links, ...findNames(text, mentions)].sort((a, b) => a.at - b.at);
}

function findNames(text: string, mentions: readonly Mention[]): { at: number; part: TextPart }[] {
  const byName = new Map(mentions.map(({ name, userId }) => [`@${name}`, userId]));
  if (byName.size === 0) return [];
  // Of "@Ann" and "@Anna" the longer one that fits is meant.
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map((name) => escaped(name));
  return [...text.matchAll(new RegExp(names.join("|"), "g"))].map(({ index, 0: name }) => ({
    at: index,
    part: { kind: "mention", text: name, userId: byName.get(name) ?? "" },
  }));
}

/** As a pattern that matches it alone. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** In one pass: a pattern would look at every run of marks again and again. */
function withoutTrailing(address: string): string {
  let end = address.length;
  while (TRAILING.has(address[end - 1] ?? "")) end--;
  return address.slice(0, end);
}
