import { CARD_TAGS, type CardTag } from "./contract.ts";

const MAX_TYPOS = 2;
const LONGEST_TAG = Math.max(...CARD_TAGS.map((tag) => tag.length));

/** The allowed tag that was probably meant: the same words spelled differently, or at most two typing errors away. */
export function closestTag(tag: string): CardTag | undefined {
  if (tag.length > LONGEST_TAG + MAX_TYPOS) return undefined;
  const letters = lettersOf(tag);
  let closest: CardTag | undefined;
  // A short tag allows no errors: "hq" is no closer to "hr" than to others.
  let fewest = Math.min(MAX_TYPOS, Math.floor(letters.length / 3)) + 1;
  for (const candidate of CARD_TAGS) {
    const typos = editDistance(letters, lettersOf(candidate));
    if (typos < fewest) {
      closest = candidate;
      fewest = typos;
    }
  }
  return closest;
}

/** Normalises `selectStatic`, `select-static` and `SELECT_STATIC` to the same text. */
function lettersOf(tag: string): string {
  return tag.toLowerCase().replace(/[^a-z]/g, "");
}

/** Levenshtein distance in which swapped neighbours count as one edit. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? at(beforeLast, column - 2) + 1
          : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, swapped, at(last, column) + 1, at(current, column - 1) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
