/** Rows changed by one unit of background work, so that nobody waits long for its locks. */
const UNIT = 100;

/** Divides rows into those that units of background work change. */
export function unitsOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / UNIT) }, (_, n) => items.slice(n * UNIT, (n + 1) * UNIT));
}
