import { useState } from "react";
import { type Steady, steadyList } from "./steady-list.ts";

/**
 * The rows of a list that is read again and again, in their places for as long as somebody looks at it.
 *
 * @param look names what is looked at, such as the page; another one begins anew.
 */
export function useSteadyList<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  look: string,
): readonly Steady<Item>[] {
  const [shown, setShown] = useState<{ look: string; items: readonly Item[]; rows: readonly Steady<Item>[] }>(() => ({
    look,
    items,
    rows: steadyList([], items, keyOf),
  }));
  if (shown.look === look && shown.items === items) return shown.rows;
  const rows = steadyList(shown.look === look ? shown.rows : [], items, keyOf);
  setShown({ look, items, rows });
  return rows;
}
