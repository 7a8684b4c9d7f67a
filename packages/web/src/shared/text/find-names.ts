/** A name found behind an "@". */
export interface FoundName {
  at: number;
  name: string;
}

const ENDS = "(?![\\p{L}\\p{N}_])";
const ENDS_OR_CJK = `(?:${ENDS}|(?=[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]))`;

/**
 * Finds the names that a text mentions, each behind an "@": of "@Ann" and "@Anna" the longer one that fits, and none whose word
 * goes on. An "@" inside a word, as in an address, begins none.
 *
 * @param isKnown whether they are known to be mentioned: then Chinese may follow at once, which sets no blanks between words.
 */
export function findNames(text: string, names: Iterable<string>, { isKnown = false } = {}): FoundName[] {
  const longest = [...new Set(names)].filter((name) => name !== "").sort((a, b) => b.length - a.length);
  if (longest.length === 0) return [];
  const pattern = new RegExp(`(?<!\\w)@(${longest.map(escaped).join("|")})${isKnown ? ENDS_OR_CJK : ENDS}`, "gu");
  return [...text.matchAll(pattern)].map(({ index, 1: name = "" }) => ({ at: index, name }));
}

/** As a pattern that matches it alone. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
