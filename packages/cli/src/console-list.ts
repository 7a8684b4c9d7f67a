import { FailureError, UsageError } from "./command.ts";
import type { ConsoleApi } from "./console-api.ts";
import { pageLine } from "./pages.ts";
import { inOneLine, print, printableJson, table } from "./terminal.ts";

/** What a list says when there is nothing in it, and its columns. */
interface Columns<Item> {
  none: string;
  headings: readonly string[];
  rowOf(item: Item): readonly string[];
}

/** Prints a list of the console API as a table, or the answer as it came. */
export function printList<Item>(
  api: ConsoleApi,
  list: readonly Item[] | { items: readonly Item[]; total: number; page: number; pageSize: number },
  { none, headings, rowOf }: Columns<Item>,
  { json = false }: { json?: boolean | undefined },
): void {
  print(...(json ? [printableJson(api.textOf(list))] : listLines(list, { none, headings, rowOf })));
}

function listLines<Item>(
  list: Parameters<typeof printList<Item>>[1],
  { none, headings, rowOf }: Columns<Item>,
): string[] {
  const items = "items" in list ? list.items : list;
  if (items.length === 0) return [none];
  const lines = table([headings, ...items.map(rowOf)]).map(inOneLine);
  return "items" in list ? [...lines, "", pageLine(list)] : lines;
}

/** The tenant that is meant: the one that is named, else that of the app. */
export async function tenantOfApp(api: ConsoleApi, appId: string, named: string | undefined): Promise<string> {
  return named ?? (await api.console.getApp({ params: { appId } })).tenantId;
}

/**
 * The tenant whose directory an operator means: the one that is named, else the only one that there is.
 *
 * @throws UsageError when there are several, FailureError when there is none.
 */
export async function tenantOfDirectory(api: ConsoleApi, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { items, total } = await api.operator.listTenants({ query: { pageSize: 1 } });
  if (total > 1) throw new UsageError("--tenant is missing: there are several tenants, `portico tenants` lists them");
  if (items[0] === undefined) throw new FailureError("there is no tenant: `portico tenants --create NAME` makes one");
  return items[0].tenantId;
}

/** Requires that at most one of the things that a command can do is named. */
export function atMostOne(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length > 1) throw new UsageError(`${names.join(" and ")} exclude each other`);
}
