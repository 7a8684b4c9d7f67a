import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import styles from "./side-navigation.module.css";

/** A page that a navigation leads to. */
export interface SideLink {
  to: string;
  text: string;
  isCurrent: boolean;
}

/** Pages that belong together: the way between them in a column, on a phone a row that scrolls, and beside it the page. */
export function SideNavigation({
  label,
  links,
  children,
}: {
  label: string;
  links: readonly SideLink[];
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a phone the link of another page may be outside of what the row shows.
    if (pathname === "") return;
    const current = list.current?.querySelector("[aria-current=page]");
    if (current instanceof HTMLElement && list.current !== null) {
      list.current.scrollTo({ left: current.offsetLeft - list.current.clientWidth / 3 });
    }
  }, [pathname]);
  return (
    <div className={styles.columns}>
      <nav aria-label={label} className={styles.navigation}>
        <ul ref={list}>
          {links.map(({ to, text, isCurrent }) => (
            <li key={to}>
              <Link to={to} aria-current={isCurrent ? "page" : undefined}>
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.page}>{children}</div>
    </div>
  );
}
