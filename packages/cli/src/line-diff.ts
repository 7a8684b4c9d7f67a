/** Above this product of lengths the common lines are not looked for: it would take too long. */
const MAX_CELLS = 25_000_000;
/** Lines that are shown around a difference. */
const CONTEXT = 3;

type Line = readonly [sign: " " | "-" | "+", text: string];

/** What differs between two texts, line by line: `-` for the former's own, `+` for the latter's, few lines around them. */
export function diffLines(former: string, latter: string): string[] {
  const lines = compare(former.trimEnd().split("\n"), latter.trimEnd().split("\n"));
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(([sign]) => sign !== " "),
  );
  return lines.flatMap(([sign, text], index) => {
    if (isNear[index]) return [`${sign} ${text}`.trimEnd()];
    return index > 0 && isNear[index - 1] ? ["…"] : [];
  });
}

function compare(a: readonly string[], b: readonly string[]): Line[] {
  const start = a.findIndex((line, index) => line !== b[index]);
  if (start === -1 && a.length === b.length) return a.map((line) => [" ", line]);
  const begin = start === -1 ? a.length : start;
  let end = 0;
  const isSame = (n: number) => a[a.length - 1 - n] === b[b.length - 1 - n];
  while (end < Math.min(a.length, b.length) - begin && isSame(end)) end++;
  return [
    ...a.slice(0, begin).map((line): Line => [" ", line]),
    ...middle(a.slice(begin, a.length - end), b.slice(begin, b.length - end)),
    ...a.slice(a.length - end).map((line): Line => [" ", line]),
  ];
}

/** By the longest common subsequence. */
function middle(a: readonly string[], b: readonly string[]): Line[] {
  const width = b.length + 1;
  const removed = a.map((line): Line => ["-", line]);
  const added = b.map((line): Line => ["+", line]);
  if (a.length === 0 || b.length === 0 || (a.length + 1) * width > MAX_CELLS) return [...removed, ...added];
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push([" ", a[i] ?? ""]);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(removed[i++] ?? ["-", ""]);
    else lines.push(added[j++] ?? ["+", ""]);
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}
