/** Most edits at which a word still counts as a slip for another. */
const MAX_EDITS = 2;

/** The candidate that `word` most likely was meant to be, or undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = MAX_EDITS + 1;
  for (const candidate of candidates) {
    const edits = editDistance(word, candidate);
    if (edits < fewest && edits < candidate.length) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** Levenshtein distance, by rows of its table. Words too different in length are not compared. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? Number.POSITIVE_INFINITY;
}
