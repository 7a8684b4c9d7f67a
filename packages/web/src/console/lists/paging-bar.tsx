import { Button } from "antd";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./list-table.module.css";
import { LISTS } from "./words.ts";

/** Rows of a page of a list. */
export const PAGE_SIZE = 20;

/** A page of a list that the service pages. */
export interface Paging {
  page: number;
  total: number;
  onPage: (page: number) => void;
}

/** Which part of a list is shown, and the way to the others; nothing where one page has all. */
export function PagingBar({ page, total, onPage }: Paging) {
  const say = useWords(LISTS);
  const format = useFormat();
  const last = Math.max(Math.ceil(total / PAGE_SIZE), 1);
  if (last === 1 && page === 1) return null;
  const from = Math.min((page - 1) * PAGE_SIZE + 1, total);
  const to = Math.min(page * PAGE_SIZE, total);
  return (
    <nav className={styles.paging} aria-label={say("pages")} data-repeated>
      <span>{say("shown", { from: format.number(from), to: format.number(to), total: format.number(total) })}</span>
      <span className={styles.steps}>
        <Button disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, last))}>
          {say("previous")}
        </Button>
        <Button disabled={page >= last} onClick={() => onPage(page + 1)}>
          {say("next")}
        </Button>
      </span>
    </nav>
  );
}
