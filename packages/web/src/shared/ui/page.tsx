import { type ReactNode, useEffect } from "react";
import styles from "./page.module.css";

interface Headed {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
}

/** A page: its title, one line that says what it is for, what can be done, the content. */
export function Page({ children, ...headed }: Headed & { children: ReactNode }) {
  const { title } = headed;
  useEffect(() => {
    document.title = `${title} · Portico`;
  }, [title]);
  return (
    <div className={styles.page}>
      <Head {...headed} heading={<h1 className={styles.title}>{title}</h1>} />
      {children}
    </div>
  );
}

/** A part of a page under a heading of its own. */
export function Section({ children, ...headed }: Headed & { children: ReactNode }) {
  const { title } = headed;
  return (
    <section className={styles.section} aria-label={title}>
      <Head {...headed} heading={<h2 className={styles.subtitle}>{title}</h2>} />
      {children}
    </section>
  );
}

function Head({ heading, lead, actions }: Omit<Headed, "title"> & { heading: ReactNode }) {
  return (
    <header className={styles.header}>
      <div className={styles.titles}>
        {heading}
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
