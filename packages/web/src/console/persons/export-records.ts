/** A page of what is stored about somebody. */
interface RecordsPage {
  items: readonly unknown[];
  /** Of the next page; null on the last. */
  nextCursor: string | null;
}

/**
 * Reads all that is stored about somebody, a line of JSON each. What has been read is in blobs, which a browser may keep on
 * its disk: it may be more than fits into memory as a text.
 *
 * @param load a page after a cursor.
 * @returns null when it was stopped.
 */
export async function exportRecords(
  load: (cursor: string | undefined) => Promise<RecordsPage>,
  { onProgress, isStopped }: { onProgress: (records: number) => void; isStopped: () => boolean },
): Promise<{ lines: Blob[]; records: number } | null> {
  const lines: Blob[] = [];
  let records = 0;
  for (let cursor: string | undefined; !isStopped(); ) {
    const { items, nextCursor } = await load(cursor);
    lines.push(new Blob(items.map((item) => `${JSON.stringify(item)}\n`)));
    records += items.length;
    onProgress(records);
    if (nextCursor === null) return { lines, records };
    if (nextCursor === cursor) throw new Error(`the export does not go on after ${nextCursor}`);
    cursor = nextCursor;
  }
  return null;
}
