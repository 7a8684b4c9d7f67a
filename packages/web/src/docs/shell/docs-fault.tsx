import { TransportError } from "@portico/protocol/client";
import { useRevalidator, useRouteError } from "react-router";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { PreferencesMenu } from "../../shared/ui/preferences-menu.tsx";
import { TopBar } from "../../shared/ui/top-bar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import styles from "./docs-fault.module.css";

/** In place of all pages: the API's description did not arrive, or the code that is around every page. */
export function DocsFault() {
  const say = useWords(DOCS);
  const error = useRouteError();
  const { revalidate } = useRevalidator();
  const retry = () => (error instanceof TransportError ? void revalidate() : location.reload());
  return (
    <>
      <TopBar home="/" area={say("area")}>
        <PreferencesMenu />
      </TopBar>
      <main id="content" className={styles.fault}>
        <h1 className="visually-hidden">{say("homeTitle")}</h1>
        <ErrorNotice error={error} onRetry={retry} />
      </main>
    </>
  );
}
