/**
 * Cuts a list into stretches that are read at a time: each takes at most `maxBytes`, or is one item that alone takes more.
 *
 * @param bytesOf how much an item takes.
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

/** Items that follow each other, and what they take together. */
export interface ByteGroup<Item> {
  items: Item[];
  bytes: number;
}
