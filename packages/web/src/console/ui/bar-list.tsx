import type { ReactNode } from "react";
import { useFormat } from "../../shared/words/format.ts";
import styles from "./bar-list.module.css";

/** What is counted. */
interface Bar {
  key: string | number;
  name: ReactNode;
  count: number;
}

/** Counts beside one another, each as a number and as a bar; `full` is the count whose bar takes the whole width. */
export function BarList({
  label,
  bars,
  full,
  tone,
}: {
  label: string;
  bars: Bar[];
  full: number;
  tone: "good" | "bad";
}) {
  const format = useFormat();
  return (
    <ul className={styles.bars} data-tone={tone} aria-label={label}>
      {bars.map(({ key, name, count }) => (
        <li key={key}>
          {name}
          <span className={styles.bar} aria-hidden="true">
            <span style={{ width: `${(count / full) * 100}%` }} data-some={count > 0} />
          </span>
          <span className={styles.count}>{format.number(count)}</span>
        </li>
      ))}
    </ul>
  );
}
