import { type ReactNode, useMemo } from "react";
import { useCard } from "../card-context.ts";
import { readTable } from "../model/table.ts";
import { More, Nothing } from "../parts/omitted.tsx";
import type { PartProps } from "../parts/part.ts";

/** Columns from which on a table scrolls rather than squeezes. */
const COLUMNS_SQUEEZED = 5;

/** What scrolls must be reached by those who have no mouse. */
const SCROLLING = { "data-scrolls": true, role: "group", tabIndex: 0 };

/** `table`: `rows`, the first being the header, or `columns`. */
export function TablePart({ element }: PartProps): ReactNode {
  const { words } = useCard();
  const table = useMemo(() => readTable(element), [element]);
  if (table.header.length === 0) return <Nothing />;
  const scrolls = table.header.length > COLUMNS_SQUEEZED;
  return (
    <>
      <div className="pc-scroll" {...(scrolls ? { ...SCROLLING, "aria-label": words.table } : {})}>
        <table className="pc-table">
          <thead>
            <Cells cells={table.header} as="th" />
          </thead>
          <tbody>
            {table.rows.map((cells, index) => (
              // Rows have no names of their own, and keep their places.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <Cells key={index} cells={cells} as="td" />
            ))}
          </tbody>
        </table>
      </div>
      <More count={table.moreRows} />
      <More count={table.moreColumns} />
    </>
  );
}

function Cells({ cells, as: Cell }: { cells: readonly string[]; as: "th" | "td" }): ReactNode {
  return (
    <tr>
      {cells.map((text, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <Cell key={column} dir="auto" scope={Cell === "th" ? "col" : undefined}>
          {text}
        </Cell>
      ))}
    </tr>
  );
}
