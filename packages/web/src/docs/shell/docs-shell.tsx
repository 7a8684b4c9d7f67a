import { useCallback, useEffect, useRef, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { PreferencesMenu } from "../../shared/ui/preferences-menu.tsx";
import { TopBar } from "../../shared/ui/top-bar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import { DocsNav } from "./docs-nav.tsx";
import styles from "./docs-shell.module.css";

/** The bar, the contents at the side (on a phone behind a button), and the page. */
export function DocsShell() {
  const say = useWords(DOCS);
  const { pathname, hash } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const openContents = useCallback(() => setOpen(true), []);
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its top, with the contents closed
  useEffect(() => {
    setOpen(false);
    if (hash === "") main.current?.scrollTo(0, 0);
  }, [pathname]);
  return (
    <div className={styles.shell}>
      <TopBar home="/" area={say("area")}>
        <button
          type="button"
          className={styles.contents}
          aria-expanded={isOpen}
          aria-controls="contents"
          onClick={() => setOpen(!isOpen)}
        >
          {say("contents")}
        </button>
        <PreferencesMenu />
      </TopBar>
      <div className={styles.body}>
        <div id="contents" className={styles.side} data-open={isOpen || undefined}>
          <DocsNav onFind={openContents} />
        </div>
        <main id="content" ref={main} className={styles.main}>
          <div className={styles.page}>
            <Outlet />
          </div>
        </main>
      </div>
    </div>
  );
}
