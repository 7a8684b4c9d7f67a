/** Where in a list of the console API a page is. */
interface Position {
  total: number;
  page: number;
  pageSize: number;
}

/** A line that tells where in the list a page is. */
export function pageLine({ page, pageSize, total }: Position): string {
  return `page ${page} of ${Math.max(1, Math.ceil(total / pageSize))}; ${total} in all`;
}
