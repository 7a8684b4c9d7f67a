/** A piece of a text, and whether the other text has something else there. An empty piece stands where the other has more. */
export interface Piece {
  text: string;
  differs: boolean;
}

/** Longer texts are compared from both ends only. */
const MAX_COMPARED = 600;
/** Texts that agree in less than this are shown as different altogether: single letters that agree by chance say nothing. */
const LEAST_COMMON = 0.25;
/** Unless they begin or end alike for so long. */
const LEAST_RUN = 4;
/** So many characters between two differences are taken for chance. */
const CHANCE = 2;

/**
 * What differs between two texts, character by character: the pieces of either in their order.
 *
 * @returns for equal texts one piece each, which does not differ.
 */
export function differences(left: string, right: string): { left: Piece[]; right: Piece[] } {
  if (left === right) return { left: whole(left, false), right: whole(right, false) };
  const a = Array.from(left);
  const b = Array.from(right);
  const start = commonStart(a, b);
  const end = commonEnd(a.slice(start), b.slice(start));
  const middleA = a.slice(start, a.length - end);
  const middleB = b.slice(start, b.length - end);
  const common = inBoth(middleA, middleB);
  const size = Math.max(a.length, b.length);
  const agreed = start + end + common.filter(([index]) => index >= 0).length;
  if (agreed < size * LEAST_COMMON && Math.max(start, end) < LEAST_RUN) {
    return { left: whole(left, true), right: whole(right, true) };
  }
  const sameA = new Set(common.map(([index]) => index + start));
  const sameB = new Set(common.map(([, index]) => index + start));
  const isSame = (same: Set<number>, length: number) => (index: number) =>
    index < start || index >= length - end || same.has(index);
  return {
    left: withGap(pieces(a, isSame(sameA, a.length)), a, start),
    right: withGap(pieces(b, isSame(sameB, b.length)), b, start),
  };
}

/** A text of which nothing differs lacks something; the first place is shown. */
function withGap(found: Piece[], characters: readonly string[], start: number): Piece[] {
  if (found.some(({ differs }) => differs)) return found;
  const text = (from: number, to?: number) => ({ text: characters.slice(from, to).join(""), differs: false });
  return [text(0, start), { text: "", differs: true }, text(start)].filter(
    ({ text, differs }) => differs || text !== "",
  );
}

function whole(text: string, differs: boolean): Piece[] {
  return text === "" ? [] : [{ text, differs }];
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  return commonStart(a.toReversed(), b.toReversed());
}

/** What both have in the same order, as pairs of positions: the longest run that both have, then those before and after it. */
function inBoth(a: readonly string[], b: readonly string[]): [inA: number, inB: number][] {
  if (Math.max(a.length, b.length) > MAX_COMPARED) return [];
  const { startA, startB, length } = longestRun(a, b);
  if (length <= CHANCE) return [];
  const [endA, endB] = [startA + length, startB + length];
  const after = inBoth(a.slice(endA), b.slice(endB));
  return [
    ...inBoth(a.slice(0, startA), b.slice(0, startB)),
    ...Array.from({ length }, (_, index): [number, number] => [startA + index, startB + index]),
    ...after.map(([inA, inB]): [number, number] => [inA + endA, inB + endB]),
  ];
}

/** The longest run of characters that both texts have; the first of several. */
function longestRun(a: readonly string[], b: readonly string[]): { startA: number; startB: number; length: number } {
  let longest = { startA: 0, startB: 0, length: 0 };
  // How long the run is that ends at each position of b and at the character of a before.
  let before = new Uint16Array(b.length + 1);
  for (const [indexA, character] of a.entries()) {
    const here = new Uint16Array(b.length + 1);
    for (const [indexB, other] of b.entries()) {
      if (character !== other) continue;
      const length = (before[indexB] ?? 0) + 1;
      here[indexB + 1] = length;
      if (length > longest.length) longest = { startA: indexA - length + 1, startB: indexB - length + 1, length };
    }
    before = here;
  }
  return longest;
}

function pieces(characters: readonly string[], isSame: (index: number) => boolean): Piece[] {
  const found: Piece[] = [];
  for (const [index, character] of characters.entries()) {
    const differs = !isSame(index);
    const last = found.at(-1);
    if (last?.differs === differs) last.text += character;
    else found.push({ text: character, differs });
  }
  return found;
}
