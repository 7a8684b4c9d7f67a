import { Checkbox } from "antd";
import { useWords } from "../../shared/words/words.ts";
import styles from "./list-table.module.css";
import { LISTS } from "./words.ts";

/** Which rows of a list are selected, by id. */
export interface Selection<Row> {
  selected: ReadonlySet<string>;
  onChange: (selected: Set<string>) => void;
  /** What the box of a row says. */
  label: (row: Row) => string;
  /** Rows for which there is nothing to do have no box. */
  canSelect: (row: Row) => boolean;
}

/** The box above the list: selects all rows that it shows. */
export function HeadBox<Row>({
  rows,
  idOf,
  selection: { selected, onChange, canSelect },
}: {
  rows: readonly Row[];
  idOf: (row: Row) => string;
  selection: Selection<Row>;
}) {
  const say = useWords(LISTS);
  const ids = rows.filter(canSelect).map(idOf);
  const chosen = ids.filter((id) => selected.has(id)).length;
  return (
    <th scope="col" className={styles.box}>
      <Checkbox
        aria-label={say("selectAll")}
        disabled={ids.length === 0}
        checked={ids.length > 0 && chosen === ids.length}
        indeterminate={chosen > 0 && chosen < ids.length}
        onChange={({ target }) => onChange(changed(selected, ids, target.checked))}
      />
    </th>
  );
}

/** The box of a row. */
export function RowBox<Row>({
  id,
  row,
  selection: { selected, onChange, canSelect, label },
}: {
  id: string;
  row: Row;
  selection: Selection<Row>;
}) {
  return (
    <td className={styles.box}>
      {canSelect(row) && (
        <Checkbox
          aria-label={label(row)}
          checked={selected.has(id)}
          onChange={({ target }) => onChange(changed(selected, [id], target.checked))}
        />
      )}
    </td>
  );
}

function changed(selected: ReadonlySet<string>, ids: readonly string[], isSelected: boolean): Set<string> {
  const next = new Set(selected);
  for (const id of ids) isSelected ? next.add(id) : next.delete(id);
  return next;
}
