/** What a list shows in a place, and whether it is there no more. */
export interface Steady<Item> {
  item: Item;
  isGone: boolean;
}

/**
 * A list that is read again, without anything in it moving: what was shown stays in its place, also when it is gone, and what
 * is new comes at the end.
 */
export function steadyList<Item>(
  before: readonly Steady<Item>[],
  now: readonly Item[],
  keyOf: (item: Item) => string,
): Steady<Item>[] {
  const there = new Map(now.map((item) => [keyOf(item), item]));
  const known = before.map(({ item }) => {
    const key = keyOf(item);
    const again = there.get(key);
    there.delete(key);
    return { item: again ?? item, isGone: again === undefined };
  });
  return [...known, ...[...there.values()].map((item) => ({ item, isGone: false }))];
}
