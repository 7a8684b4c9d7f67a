import type { ReactNode } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./top-bar.module.css";

/** The bar at the top of every page: the product, where one is, and the account. */
export function TopBar({ home, area, children }: { home: string; area: string; children?: ReactNode }) {
  const say = useWords(SHARED);
  return (
    <header className={styles.bar}>
      <a className={styles.skip} href="#content">
        {say("skipToContent")}
      </a>
      <a className={styles.brand} href={home}>
        <img src="/assets/portico.svg" alt="" width={24} height={24} />
        <span className={styles.name}>{say("product")}</span>
        <span className={styles.area}>{area}</span>
      </a>
      <div className={styles.tools}>{children}</div>
    </header>
  );
}
