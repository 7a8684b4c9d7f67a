/**
 * Splits a list into groups of consecutive items, each to be read at once. A group has at most `maxBytes`, or is a
 * single larger item.
 *
 * @param bytesOf size of an item in bytes.
 */
export function groupsByBytes<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  maxBytes: number,
): ByteGroup<Item>[] {
  const groups: ByteGroup<Item>[] = [];
  for (const item of items) {
    const bytes = bytesOf(item);
    const last = groups.at(-1);
    if (last === undefined || last.bytes + bytes > maxBytes) {
      groups.push({ items: [item], bytes });
    } else {
      last.items.push(item);
      last.bytes += bytes;
    }
  }
  return groups;
}

/** Consecutive items and their total size. */
export interface ByteGroup<Item> {
  items: Item[];
  bytes: number;
}
