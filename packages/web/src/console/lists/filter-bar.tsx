import type { ReactNode } from "react";
import styles from "./filters.module.css";

/** What narrows a list, in a row above it. */
export function FilterBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
