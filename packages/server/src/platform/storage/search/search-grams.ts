import { createHash } from "node:crypto";
import { toSmallLetters } from "./small-letters.ts";

/*
 * The length of a gram. Texts are indexed by their trigrams: three consecutive characters, starting at every position.
 * Text is padded at its end, so that a gram starts at each of its characters, and a keyword of one or two characters is
 * the prefix of a gram. Each gram is prefixed with the scope of its text (an application's visitors, a tenant's
 * members), so that the data of others does not slow a search.
 */

const GRAM = 3;
/** Pads the end of a text. A private-use character of Unicode. */
const END = "\uE01F";

/**
 * The number of characters that encode a scope. Two scopes can collide, so every hit is checked against its own
 * columns.
 */
const SCOPE_LENGTH = 6;
/** The most cached encodings of scopes. */
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

/**
 * What a text that contains `keyword` has: all these grams, or, for a keyword shorter than a gram, one with this
 * prefix.
 */
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

/** The grams of a row's texts for SQLite's full-text index: words of letters and digits, separated by spaces. */
export function indexedGrams(scope: string, texts: readonly unknown[]): string {
  const words = new Set<string>();
  const key = keyOf(scope);
  for (const text of texts) {
    if (typeof text !== "string" || text === "") continue;
    // Each character is made one of words once, though three grams have it.
    const characters = Array.from(toSmallLetters(text), toWord);
    characters.push(END, END);
    for (let i = 0; i + GRAM <= characters.length; i++) {
      words.add(`${key}${characters[i]}${characters[i + 1]}${characters[i + 2]}`);
    }
  }
  return [...words].join(" ");
}

/** The `match` expression of SQLite's full-text index for rows of the scope that may contain `keyword`. */
export function sqliteMatch(scope: string, keyword: string): string {
  const { grams, isBeginning } = soughtIn(keyword);
  return grams.map((gram) => `"${keyOf(scope)}${toWord(gram)}"${isBeginning ? "*" : ""}`).join(" AND ");
}

/** The `tsquery` of PostgreSQL for rows of the scope that may contain `keyword`. */
export function postgresQuery(scope: string, keyword: string): string {
  const { grams, isBeginning } = soughtIn(keyword);
  return grams
    .map((gram) => `'${(keyOf(scope) + gram).replace(/['\\]/g, "$&$&")}'${isBeginning ? ":*" : ""}`)
    .join(" & ");
}

/** The first of the private-use characters that replace ASCII characters which are no part of words. */
const PUNCTUATION = 0xe000;

function toWord(text: string): string {
  if (!NO_PART_OF_WORDS.test(text)) return text;
  return text.replace(/[^a-z0-9\u0080-\uffff]/g, (sign) => String.fromCharCode(PUNCTUATION + sign.charCodeAt(0)));
}

const NO_PART_OF_WORDS = /[^a-z0-9\u0080-\uffff]/;
