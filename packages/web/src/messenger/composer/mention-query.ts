import { findNames } from "../../shared/text/find-names.ts";

/** The name that is being typed after an "@": where it stands in the text, and what of it is there. */
export interface MentionQuery {
  start: number;
  end: number;
  typed: string;
}

/** Names are looked for up to this length. */
const MAX_TYPED = 32;

/**
 * The name that is being typed at the caret; null when none is. An "@" inside a word, as in an address, begins none; one behind
 * Chinese does, which sets no blanks between words.
 *
 * @param chosen those whose names were put in: behind such a name goes on what one says.
 */
export function mentionQueryAt(text: string, caret: number, chosen: readonly Mentionable[] = []): MentionQuery | null {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf("@");
  if (start === -1 || /\w/.test(before[start - 1] ?? "")) return null;
  const typed = before.slice(start + 1);
  // A name may have blanks in it, one at a time.
  if (typed.length > MAX_TYPED || /^\s|\s\s|[\n\r\t]/.test(typed)) return null;
  if (chosen.some(({ name }) => typed.startsWith(`${name} `))) return null;
  return { start, end: caret, typed };
}

/** Somebody who can be mentioned. */
export interface Mentionable {
  userId: string;
  name: string;
  isBot: boolean;
}

/** The text with the chosen name in place of what was typed, and where the caret goes. */
export function withMention(text: string, { start, end }: MentionQuery, name: string): { text: string; caret: number } {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(end), caret: before.length };
}

/** Those who were chosen and whose names are still in the text, each once. */
export function mentionedIn(text: string, chosen: readonly Mentionable[]): Mentionable[] {
  const names = new Set(findNames(text, namesOf(chosen)).map(({ name }) => name));
  const byId = new Map(chosen.map((each) => [each.userId, each]));
  return [...byId.values()].filter(({ name }) => names.has(name));
}

/** The bots whose full names are typed in a text and who were not chosen, so that it mentions none of them. */
export function meantIn(text: string, bots: readonly Mentionable[], mentioned: readonly Mentionable[]): Mentionable[] {
  const known = new Set(namesOf(mentioned));
  const names = new Set(findNames(text, [...namesOf(bots), ...known]).map(({ name }) => name));
  return bots.filter(({ name }) => names.has(name) && !known.has(name));
}

function namesOf(some: readonly Mentionable[]): string[] {
  return some.map(({ name }) => name);
}
