import type { Db } from "../../platform/storage/schema.ts";

/** Records of a page. */
const PAGE = 200;

/** Records of a kind, and the place after which the next of them come; null when these are the last. */
export interface Records {
  records: Record<string, unknown>[];
  next: string | null;
}

/**
 * Reads records of one kind after a place (empty or 0 for the first), at most `limit`; it may read fewer, and look at no more
 * than some rows.
 */
export type ReadRecords<Whose> = (db: Db, whose: Whose, after: string, limit: number) => Promise<Records>;

/** A page of an export, and the place of the next; null on the last. */
export interface ExportPage<Kind extends string> {
  items: { kind: Kind; record: Record<string, unknown> }[];
  next: string | null;
}

/**
 * A page of all that is stored about somebody, kind by kind. It costs the same however much there is.
 *
 * @param place `next` of the page before, a kind and a place among its records; empty for the first.
 */
export async function exportPage<Kind extends string, Whose>(
  db: Db,
  kinds: readonly (readonly [Kind, ReadRecords<Whose>])[],
  whose: Whose,
  place: string,
): Promise<ExportPage<Kind>> {
  const [, from, within = ""] = /^([A-Za-z]+):(.+)$/.exec(place) ?? [];
  const start = kinds.findIndex(([kind]) => kind === from);
  const items: ExportPage<Kind>["items"] = [];
  let after = within;
  for (const [kind, read] of kinds.slice(Math.max(start, 0))) {
    const limit = PAGE - items.length;
    if (limit === 0) return { items, next: `${kind}:0` };
    const { records, next } = await read(db, whose, after, limit);
    items.push(...records.map((record) => ({ kind, record })));
    if (next !== null) return { items, next: `${kind}:${next}` };
    after = "";
  }
  return { items, next: null };
}

/** Records of a list that is not long, from the place on. */
export function fromPlace(all: Record<string, unknown>[], after: string, limit: number): Records {
  const begin = Number(after);
  const records = all.slice(begin, begin + limit);
  return { records, next: begin + limit < all.length ? String(begin + limit) : null };
}

/** Rows in the order of a number. */
export function byNumber<Row extends Record<string, unknown>>(
  rows: readonly Row[],
  limit: number,
  { numberOf, recordOf = (row) => row }: { numberOf(row: Row): number; recordOf?(row: Row): Record<string, unknown> },
): Records {
  const last = rows.at(-1);
  return {
    records: rows.map(recordOf),
    next: last === undefined || rows.length < limit ? null : String(numberOf(last)),
  };
}
