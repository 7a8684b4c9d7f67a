/** A page of a list, and the filter for its entries. */
export interface PageRequest {
  /** Empty means no filter. */
  keyword: string;
  page: number;
  pageSize: number;
}

/** Offset and length of a page in a list of `total` entries. */
export function rangeOf({ page, pageSize }: Pick<PageRequest, "page" | "pageSize">, total: number) {
  const offset = (page - 1) * pageSize;
  return { offset, limit: Math.max(0, Math.min(pageSize, total - offset)) };
}
