import { unpromised } from "./console-exchange.ts";
import { listOf, numberOf } from "./json.ts";

/** One page of a list of the console API. */
export interface Page {
  items: unknown[];
  total: number;
  page: number;
  pages: number;
}

/** @param what the call is about, for the failure when it does not answer with a page. */
export function readPage(value: unknown, what: string): Page {
  const total = numberOf(value, "total") ?? unpromised(what);
  const pages = Math.max(1, Math.ceil(total / (numberOf(value, "pageSize") ?? 1)));
  return { items: listOf(value, "items"), total, page: numberOf(value, "page") ?? 1, pages };
}

/** A line that tells where in the list a page is. */
export function pageLine({ page, pages, total }: Omit<Page, "items">): string {
  return `page ${page} of ${pages}; ${total} in all`;
}
