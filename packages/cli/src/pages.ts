/** The position of a page in a list of the console API. */
interface Position {
  total: number;
  page: number;
  pageSize: number;
}

/** A line with the position of a page in the list. */
export function pageLine({ page, pageSize, total }: Position): string {
  return `page ${page} of ${Math.max(1, Math.ceil(total / pageSize))}; ${total} in all`;
}
