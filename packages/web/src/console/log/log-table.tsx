import { RightOutlined } from "@ant-design/icons";
import { Checkbox } from "antd";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { Fragment } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./log.module.css";
import { LOG } from "./words.ts";

/** A column of a log. */
export interface LogColumn<Item> {
  title: string;
  cell: (item: Item) => ReactNode;
  /** Numbers stand at the right; what is wide is left out on a phone; "main" takes the room that is left. */
  kind?: "number" | "wide" | "wide-number" | "main" | undefined;
}

/** Which rows of a log are selected, by id. */
export interface LogSelection<Item> {
  selected: ReadonlySet<string>;
  onChange: (selected: Set<string>) => void;
  /** What the box of a row says. */
  label: (item: Item) => string;
  /** Rows for which there is nothing to do have no box. */
  canSelect: (item: Item) => boolean;
}

/** A log: a row for each entry, which opens what is known of it below. */
export function LogTable<Item>({
  label,
  columns,
  items,
  idOf,
  openId,
  onOpen,
  detail,
  selection,
}: {
  label: string;
  columns: readonly LogColumn<Item>[];
  items: readonly Item[];
  idOf: (item: Item) => string;
  openId: string | undefined;
  onOpen: (id: string | undefined) => void;
  detail: (item: Item) => ReactNode;
  selection?: LogSelection<Item> | undefined;
}) {
  const say = useWords(LOG);
  const span = columns.length + (selection === undefined ? 1 : 2);
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {selection !== undefined && <HeadBox items={items} idOf={idOf} selection={selection} />}
          {columns.map(({ title, kind }) => (
            <th key={title} scope="col" data-kind={kind}>
              {title}
            </th>
          ))}
          <th>
            <span className="visually-hidden">{say("details")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => {
          const id = idOf(item);
          const isOpen = id === openId;
          return (
            <Fragment key={id}>
              <tr className={styles.row} data-open={isOpen} {...opening(() => onOpen(id))}>
                {selection !== undefined && <RowBox id={id} item={item} selection={selection} />}
                {columns.map(({ title, kind, cell }) => (
                  <td key={title} data-kind={kind}>
                    {cell(item)}
                  </td>
                ))}
                <td className={styles.toggle}>
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    aria-label={say(isOpen ? "closeDetails" : "details")}
                    onClick={() => onOpen(isOpen ? undefined : id)}
                  >
                    <RightOutlined />
                  </button>
                </td>
              </tr>
              {isOpen && (
                <tr className={styles.detail}>
                  <td colSpan={span}>{detail(item)}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

/** What is clicked or typed within a row on something that does a thing of its own does not open the row. */
function opening(open: () => void) {
  const isOwn = (target: EventTarget) =>
    target instanceof Element && target.closest("button, a, input, label") !== null;
  return {
    onClick: ({ target }: MouseEvent) => {
      if (!isOwn(target) && getSelection()?.isCollapsed !== false) open();
    },
    onKeyDown: ({ target, key }: KeyboardEvent) => {
      if (!isOwn(target) && key === "Enter") open();
    },
  };
}

function HeadBox<Item>({
  items,
  idOf,
  selection: { selected, onChange, canSelect },
}: {
  items: readonly Item[];
  idOf: (item: Item) => string;
  selection: LogSelection<Item>;
}) {
  const say = useWords(LOG);
  const ids = items.filter(canSelect).map(idOf);
  const chosen = ids.filter((id) => selected.has(id)).length;
  return (
    <th className={styles.box}>
      <Checkbox
        aria-label={say("selectAll")}
        disabled={ids.length === 0}
        checked={ids.length > 0 && chosen === ids.length}
        indeterminate={chosen > 0 && chosen < ids.length}
        onChange={({ target }) => {
          const next = new Set(selected);
          for (const id of ids) target.checked ? next.add(id) : next.delete(id);
          onChange(next);
        }}
      />
    </th>
  );
}

function RowBox<Item>({
  id,
  item,
  selection: { selected, onChange, canSelect, label },
}: {
  id: string;
  item: Item;
  selection: LogSelection<Item>;
}) {
  return (
    <td className={styles.box}>
      {canSelect(item) && (
        <Checkbox
          aria-label={label(item)}
          checked={selected.has(id)}
          onChange={({ target }) => {
            const next = new Set(selected);
            target.checked ? next.add(id) : next.delete(id);
            onChange(next);
          }}
        />
      )}
    </td>
  );
}
