import type { ReactNode } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { PreferencesMenu } from "./preferences-menu.tsx";
import styles from "./sign-in-frame.module.css";

/** What is around a sign-in: the product, what one signs in to, and language and look in the corner. */
export function SignInFrame({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const say = useWords(SHARED);
  return (
    <div className={styles.frame}>
      <div className={styles.corner}>
        <PreferencesMenu />
      </div>
      <main className={styles.main}>
        <div className={styles.brand}>
          <img src="/assets/portico.svg" alt="" width={32} height={32} />
          <span>{say("product")}</span>
        </div>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </main>
    </div>
  );
}
