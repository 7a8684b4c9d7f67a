import { RightOutlined } from "@ant-design/icons-svg";
import { Fragment, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { Icon } from "../../shared/ui/icon.tsx";
import { useWords } from "../../shared/words/words.ts";
import styles from "./list-table.module.css";
import { type Paging, PagingBar } from "./paging-bar.tsx";
import { HeadBox, RowBox, type Selection } from "./selection.tsx";
import { LISTS } from "./words.ts";

/** A column of a list. */
export interface ListColumn<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right; what is wide is left out on a phone; "main" takes the room that is left. */
  kind?: "number" | "wide" | "wide-number" | "main";
}

/** Rows that open: one at a time, with what is known of it below. */
export interface Opening<Row> {
  openId: string | undefined;
  onOpen: (id: string | undefined) => void;
  detail: (row: Row) => ReactNode;
}

/**
 * A list as a table; with `paging` a page of one that the service pages; with `actions` what can be done with a row; with
 * `opening` its rows open; with `selection` they can be selected.
 */
export function ListTable<Row>({
  label,
  columns,
  rows,
  idOf,
  actions,
  opening,
  selection,
  paging,
  empty,
}: {
  label: string;
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  actions?: ((row: Row) => ReactNode) | undefined;
  opening?: Opening<Row> | undefined;
  selection?: Selection<Row> | undefined;
  paging?: Paging | undefined;
  /** What stands there where there is nothing. */
  empty: ReactNode;
}) {
  const say = useWords(LISTS);
  if (rows.length === 0 && (paging === undefined || paging.total === 0)) return empty;
  const last = [actions && say("actions"), opening && say("details")].filter((title) => title !== undefined);
  return (
    <div className={styles.list}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {selection !== undefined && <HeadBox rows={rows} idOf={idOf} selection={selection} />}
            {columns.map(({ key, title, kind }) => (
              <th key={key} scope="col" data-kind={kind}>
                {title}
              </th>
            ))}
            {last.map((title) => (
              <th key={title} scope="col">
                <span className="visually-hidden">{title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ListRow key={idOf(row)} {...{ columns, row, id: idOf(row), actions, opening, selection }} />
          ))}
        </tbody>
      </table>
      {paging !== undefined && <PagingBar {...paging} />}
    </div>
  );
}

function ListRow<Row>({
  columns,
  row,
  id,
  actions,
  opening,
  selection,
}: {
  columns: readonly ListColumn<Row>[];
  row: Row;
  id: string;
  actions: ((row: Row) => ReactNode) | undefined;
  opening: Opening<Row> | undefined;
  selection: Selection<Row> | undefined;
}) {
  const isOpen = opening !== undefined && opening.openId === id;
  const place = useRef<HTMLTableRowElement>(null);
  // Open from the beginning: the page's address asks for it. What a person opens is where they look already.
  const isAskedFor = useRef(isOpen);
  useEffect(() => {
    if (isAskedFor.current) place.current?.scrollIntoView({ block: "start" });
  }, []);
  const span = columns.length + [selection, actions, opening].filter((part) => part !== undefined).length;
  return (
    <Fragment>
      <tr
        ref={place}
        className={opening && styles.row}
        data-open={isOpen || undefined}
        onClick={opening && ((event) => isOfRow(event) && opening.onOpen(id))}
      >
        {selection !== undefined && <RowBox id={id} row={row} selection={selection} />}
        {columns.map(({ key, kind, cell }) => (
          <td key={key} data-kind={kind}>
            {cell(row)}
          </td>
        ))}
        {actions !== undefined && <td className={styles.actions}>{actions(row)}</td>}
        {opening !== undefined && <OpenCell isOpen={isOpen} onToggle={() => opening.onOpen(isOpen ? undefined : id)} />}
      </tr>
      {isOpen && (
        <tr className={styles.detail}>
          <td colSpan={span}>{opening.detail(row)}</td>
        </tr>
      )}
    </Fragment>
  );
}

/** What is clicked within a row on something that does a thing of its own, or selects text, does not open the row. */
function isOfRow({ target }: MouseEvent): boolean {
  const isOwn = target instanceof Element && target.closest("button, a, input, label") !== null;
  return !isOwn && getSelection()?.isCollapsed !== false;
}

function OpenCell({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const say = useWords(LISTS);
  return (
    <td className={styles.toggle}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={say(isOpen ? "closeDetails" : "details")}
        onClick={onToggle}
      >
        <Icon of={RightOutlined} />
      </button>
    </td>
  );
}
