/** Which page of a list, and what its entries have to hold. */
export interface PageRequest {
  /** Empty: all. */
  keyword: string;
  page: number;
  pageSize: number;
}

/** Where a page of a list of `total` entries begins, and how many it has. */
export function rangeOf({ page, pageSize }: Pick<PageRequest, "page" | "pageSize">, total: number) {
  const offset = (page - 1) * pageSize;
  return { offset, limit: Math.max(0, Math.min(pageSize, total - offset)) };
}
