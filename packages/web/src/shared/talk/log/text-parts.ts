import type { Mention } from "@portico/protocol/schemas";
import { findNames } from "../../text/find-names.ts";
import { linksIn } from "../../text/links.ts";

/** A piece of a text. */
export type TextPart =
  | { kind: "text"; text: string }
  | { kind: "link"; text: string; href: string }
  | { kind: "mention"; text: string; userId: string };

/** So much of a text is searched for names; what follows is shown as it is. */
const SEARCHED_LENGTH = 20_000;

/** Takes a text apart into links, the names of those it mentions ("@" before the name), and the rest. */
export function partsOf(text: string, mentions: readonly Mention[]): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const found of findAll(text, mentions)) {
    if (found.at < at) continue;
    if (found.at > at) parts.push({ kind: "text", text: text.slice(at, found.at) });
    parts.push(found.part);
    at = found.at + found.part.text.length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

function findAll(text: string, mentions: readonly Mention[]): { at: number; part: TextPart }[] {
  const links = linksIn(text).map(({ at, text: address, href }) => {
    return { at, part: { kind: "link" as const, text: address, href } };
  });
  return [...links, ...mentionsIn(text.slice(0, SEARCHED_LENGTH), mentions)].sort((a, b) => a.at - b.at);
}

function mentionsIn(text: string, mentions: readonly Mention[]): { at: number; part: TextPart }[] {
  const byName = new Map(mentions.map(({ name, userId }) => [name, userId]));
  return findNames(text, byName.keys(), { isKnown: true }).map(({ at, name }) => ({
    at,
    part: { kind: "mention", text: `@${name}`, userId: byName.get(name) ?? "" },
  }));
}
