import { createHash } from "node:crypto";
import { toSmallLetters } from "./small-letters.ts";

/*
 * Texts are found by their grams: what three characters in a row there are in them, wherever they begin. The end of a
 * text is filled up, so that a gram begins with each of its characters; one character or two are then the beginning of
 * a gram. A gram is known together with the scope of its text (an application's visitors, a tenant's members), so that what
 * others have makes nobody's search longer.
 */

const GRAM = 3;
/** Fills up the end of a text; of the characters that Unicode leaves to private use. */
const END = "\uE01F";

/** How many characters stand for a scope. Two may have the same: who finds a row holds it against its own columns. */
const SCOPE_LENGTH = 6;
/** Scopes whose characters are remembered. */
const MAX_SCOPES = 1_000;
const scopeKeys = new Map<string, string>();

function keyOf(scope: string): string {
  const known = scopeKeys.get(scope);
  if (known !== undefined) return known;
  const key = createHash("sha256").update(scope).digest("hex").slice(0, SCOPE_LENGTH);
  if (scopeKeys.size >= MAX_SCOPES) scopeKeys.clear();
  scopeKeys.set(scope, key);
  return key;
}

/** What a text that holds `keyword` has: these grams, or, of a keyword that is shorter than one, a gram that begins so. */
function soughtIn(keyword: string): { grams: string[]; isBeginning: boolean } {
  const characters = [...toSmallLetters(keyword)];
  if (characters.length < GRAM) return { grams: [characters.join("")], isBeginning: true };
  return { grams: gramsOf(characters), isBeginning: false };
}

function gramsOf(characters: readonly string[]): string[] {
  const grams = new Set<string>();
  for (let i = 0; i + GRAM <= characters.length; i++) grams.add(characters.slice(i, i + GRAM).join(""));
  return [...grams];
}

/** The grams of a row's texts, as SQLite's full-text index takes them: words of letters and digits between blanks. */
export function indexedGrams(scope: string, texts: readonly unknown[]): string {
  const words = new Set<string>();
  const key = keyOf(scope);
  for (const text of texts) {
    if (typeof text !== "string" || text === "") continue;
    for (const gram of gramsOf([...toSmallLetters(text), END, END])) words.add(key + toWord(gram));
  }
  return [...words].join(" ");
}

/** What SQLite's full-text index is asked, by a `match`, for the rows of the scope that may hold `keyword`. */
export function sqliteMatch(scope: string, keyword: string): string {
  const { grams, isBeginning } = soughtIn(keyword);
  return grams.map((gram) => `"${keyOf(scope)}${toWord(gram)}"${isBeginning ? "*" : ""}`).join(" AND ");
}

/** What PostgreSQL is asked, as a `tsquery`, for the rows of the scope that may hold `keyword`. */
export function postgresQuery(scope: string, keyword: string): string {
  const { grams, isBeginning } = soughtIn(keyword);
  return grams
    .map((gram) => `'${(keyOf(scope) + gram).replace(/['\\]/g, "$&$&")}'${isBeginning ? ":*" : ""}`)
    .join(" & ");
}

/** The first of the characters that stand in words for those of ASCII that belong to none; of Unicode's private ones. */
const PUNCTUATION = 0xe000;

function toWord(gram: string): string {
  return gram.replace(/[^a-z0-9\u0080-\uffff]/g, (sign) => String.fromCharCode(PUNCTUATION + sign.charCodeAt(0)));
}
