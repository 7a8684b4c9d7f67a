import type { ReactNode } from "react";
import styles from "./figures.module.css";

/** A number that says much, with its name. */
export interface Figure {
  name: string;
  value: ReactNode;
  /** What is said below it, in small. */
  more?: ReactNode;
}

/** A few numbers side by side. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, value, more }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {more !== undefined && <span className={styles.more}>{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
