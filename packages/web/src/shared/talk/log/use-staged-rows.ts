import { useLayoutEffect, useRef, useState } from "react";

/** A row of a log. The key of a message is the same wherever it is drawn. */
export interface KeyedRow {
  readonly kind: string;
  readonly key: string;
}

/** Rows in the steps in which a virtual list can take them. */
interface Staged<Row> {
  rows: readonly Row[];
  /** Whether what differs from the rows before stands at their beginning; else it stands at their end. */
  isShift: boolean;
}

/**
 * A virtual list knows a change by the number of its rows alone, and where it was by `shift`. Rows that have changed at
 * both ends, as when an earlier page comes together with a new message, are drawn in two steps before the browser paints.
 */
export function useStagedRows<Row extends KeyedRow>(rows: readonly Row[]): Staged<Row> {
  const [drawn, setDrawn] = useState(rows);
  const latest = useRef(drawn);
  const staged = stage(latest.current, rows);
  useLayoutEffect(() => {
    latest.current = staged.rows;
    // Draws once more, now from these.
    if (staged.rows !== rows) setDrawn(staged.rows);
  });
  return staged;
}

/** The next step from the rows that are drawn towards those that are to be. */
export function stage<Row extends KeyedRow>(drawn: readonly Row[], rows: readonly Row[]): Staged<Row> {
  if (drawn[0]?.key === rows[0]?.key) return { rows, isShift: false };
  const places = new Map(rows.map(({ key }, index) => [key, index]));
  const from = drawn.findIndex(({ kind, key }) => kind === "message" && places.has(key));
  const anchor = drawn[from];
  const to = anchor === undefined ? undefined : places.get(anchor.key);
  if (to === undefined) return { rows, isShift: false };
  const isSameEnd = drawn.length - from === rows.length - to && drawn.at(-1)?.key === rows.at(-1)?.key;
  return { rows: isSameEnd ? rows : [...rows.slice(0, to), ...drawn.slice(from)], isShift: true };
}
