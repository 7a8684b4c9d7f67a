/** The most lines that a chart has above its base. */
const MOST_STEPS = 4;

/**
 * The values of a chart's lines, from 0 up to at least `highest`: round numbers, at equal distances.
 *
 * @param smallest the least distance between two; 1 where only whole numbers make sense.
 */
export function ticksUpTo(highest: number, smallest = 1): number[] {
  const rough = Math.max(highest / MOST_STEPS, smallest);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough * (1 - 1e-9)) ?? rough;
  const count = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/**
 * Which of `count` places have a label below them, when each takes `labelWidth` of the chart's `width`: the last always.
 *
 * @param unit so many places are one thing to a label, as 24 hours are to one that says the day.
 */
export function labelledPlaces(count: number, width: number, labelWidth: number, unit = 1): number[] {
  const fitting = Math.max(1, Math.floor(width / labelWidth));
  const every = Math.max(1, Math.ceil(count / fitting / unit)) * unit;
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0);
}
