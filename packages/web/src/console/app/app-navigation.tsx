import type { AppType } from "@portico/protocol";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { useWords } from "../../shared/words/words.ts";
import styles from "./app-navigation.module.css";
import { SECTIONS } from "./sections.ts";
import { APP } from "./words.ts";

/** The way between the pages of an application: a column, on a phone a row that scrolls. */
export function AppNavigation({ appId, type }: { appId: string; type: AppType }) {
  const say = useWords(APP);
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
  const start = `/apps/${encodeURIComponent(appId)}`;
  // The application's own address shows its overview.
  const current = pathname.slice(start.length + 1).split("/")[0] || "overview";
  return (
    <nav aria-label={say("navigation")} className={styles.navigation}>
      <ul ref={list}>
        {SECTIONS.filter(({ onlyFor = type }) => onlyFor === type).map(({ path, word }) => (
          <li key={path}>
            <Link to={`${start}/${path}`} aria-current={path === current ? "page" : undefined}>
              {say(word)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
