import type { ReactNode } from "react";
import styles from "./list-table.module.css";

/** What narrows a list, in a row above it. */
export function ListBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
