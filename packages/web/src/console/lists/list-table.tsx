import { Table, type TableProps } from "antd";
import type { ReactNode } from "react";
import { PAGE_SIZE } from "./address.ts";
import styles from "./list-table.module.css";

/** Below the width of their columns tables scroll sideways. */
const SCROLL = { x: "max-content" } as const;

/** A table in the console's manner; with `paging` a page of a list that the service pages. */
export function ListTable<Row extends object>({
  paging,
  empty,
  ...props
}: Pick<TableProps<Row>, "columns" | "dataSource" | "rowKey" | "expandable" | "loading"> & {
  paging?: { page: number; total: number; onPage: (page: number) => void };
  empty: ReactNode;
}) {
  if (props.dataSource?.length === 0 && (paging === undefined || paging.total === 0)) return empty;
  return (
    <Table<Row>
      {...props}
      className={styles.table}
      size="middle"
      scroll={SCROLL}
      pagination={
        paging !== undefined && paging.total > PAGE_SIZE
          ? {
              current: paging.page,
              total: paging.total,
              pageSize: PAGE_SIZE,
              showSizeChanger: false,
              onChange: paging.onPage,
            }
          : false
      }
    />
  );
}
