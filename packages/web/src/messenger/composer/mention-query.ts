/** The name that is being typed after an "@": where it stands in the text, and what of it is there. */
export interface MentionQuery {
  start: number;
  end: number;
  prefix: string;
}

/** Names are looked for up to this length. */
const MAX_PREFIX = 32;

/** The name that is being typed at the caret; null when none is. An "@" inside a word, as in an address, begins none. */
export function mentionQueryAt(text: string, caret: number): MentionQuery | null {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf("@");
  if (start === -1 || (start > 0 && /[\p{L}\p{N}_.+-]/u.test(before[start - 1] ?? ""))) return null;
  const prefix = before.slice(start + 1);
  if (prefix.length > MAX_PREFIX || /[\s@]/.test(prefix)) return null;
  return { start, end: caret, prefix };
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

/** Of those that were chosen, the ids of those whose names are still in the text. */
export function mentionedIn(text: string, chosen: readonly Mentionable[]): string[] {
  return [...new Set(chosen.filter(({ name }) => text.includes(`@${name}`)).map(({ userId }) => userId))];
}
