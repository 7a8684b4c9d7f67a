import { type ReactNode, useMemo } from "react";
import { readTable } from "../model/table.ts";
import { More, Nothing } from "../parts/omitted.tsx";
import type { PartProps } from "../parts/part.ts";
import { TableFrame } from "../parts/table-frame.tsx";

/** `table`: `rows`, the first being the header, or `columns`. */
export function TablePart({ element }: PartProps): ReactNode {
  const table = useMemo(() => readTable(element), [element]);
  if (table.header.length === 0) return <Nothing />;
  return (
    <>
      <TableFrame columns={table.header.length}>
        <thead>
          <Cells cells={table.header} as="th" />
        </thead>
        <tbody>
          {table.rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names of their own, and keep their places
            <Cells key={index} cells={cells} as="td" />
          ))}
        </tbody>
      </TableFrame>
      <More count={table.moreRows} of="rows" />
      <More count={table.moreColumns} of="columns" />
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
