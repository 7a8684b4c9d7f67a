/** Those whose simple folding is another than that of their case mappings (CaseFolding.txt of Unicode, statuses C and S). */
const OTHERWISE = new Map([
  ["\u0131", "\u0131"],
  ["\u1fd3", "\u0390"],
  ["\u1fe3", "\u03b0"],
  ["\ufb05", "\ufb06"],
]);

/**
 * A text without its case: texts that differ in nothing else have the same (Unicode's simple case folding, which the names of
 * directories are compared by: RFC 7643, section 2.2). Of user names, which are ASCII, it is what `inLowerCase` of the storage is.
 */
export function foldCase(text: string): string {
  return Array.from(text, foldOne).join("");
}

function foldOne(character: string): string {
  const known = OTHERWISE.get(character);
  if (known !== undefined) return known;
  return single(single(character, character.toUpperCase()), single(character, character.toUpperCase()).toLowerCase());
}

/** The mapping of a character, unless it makes several of one. */
function single(character: string, mapped: string): string {
  return Array.from(mapped).length === 1 ? mapped : character;
}
