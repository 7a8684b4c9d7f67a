import type { ReactNode } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./list-table.module.css";
import { PagingBar } from "./paging-bar.tsx";
import { LISTS } from "./words.ts";

/** A column of a list. */
export interface ListColumn<Row> {
  key: string;
  title: ReactNode;
  cell: (row: Row) => ReactNode;
  /** What a phone has no room for. */
  isWide?: boolean;
}

/** A list as a table; with `paging` a page of one that the service pages; with `actions` what can be done with a row. */
export function ListTable<Row>({
  label,
  columns,
  rows,
  idOf,
  actions,
  paging,
  empty,
}: {
  label: string;
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  actions?: ((row: Row) => ReactNode) | undefined;
  paging?: { page: number; total: number; onPage: (page: number) => void } | undefined;
  /** What stands there where there is nothing. */
  empty: ReactNode;
}) {
  const say = useWords(LISTS);
  if (rows.length === 0 && (paging === undefined || paging.total === 0)) return empty;
  return (
    <div className={styles.list}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key, title, isWide }) => (
              <th key={key} scope="col" data-wide={isWide}>
                {title}
              </th>
            ))}
            {actions !== undefined && (
              <th scope="col">
                <span className="visually-hidden">{say("actions")}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map(({ key, cell, isWide }) => (
                <td key={key} data-wide={isWide}>
                  {cell(row)}
                </td>
              ))}
              {actions !== undefined && <td className={styles.actions}>{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {paging !== undefined && <PagingBar {...paging} />}
    </div>
  );
}
