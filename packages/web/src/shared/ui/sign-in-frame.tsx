import { type ReactNode, useContext } from "react";
import { EndedContext } from "../sign-in/ended.ts";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import { Notice } from "./notice.tsx";
import { PreferencesMenu } from "./preferences-menu.tsx";
import styles from "./sign-in-frame.module.css";
import { TopBar } from "./top-bar.tsx";

/** What is around a sign-in: the bar of every page, with language and look in it, and what one signs in to. */
export function SignInFrame({
  home,
  area,
  title,
  lead,
  children,
}: {
  home: string;
  area: string;
  title: string;
  lead: string;
  children: ReactNode;
}) {
  const say = useWords(SHARED);
  const ended = useContext(EndedContext);
  return (
    <div className={styles.frame}>
      <TopBar home={home} area={area}>
        <PreferencesMenu />
      </TopBar>
      <main className={styles.main}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {ended !== null && (
          <Notice tone="info" role="alert" title={say(ended === "tab" ? "endedInTab" : "endedByService")}>
            <p>{say("endedHint")}</p>
          </Notice>
        )}
        {!isSecureContext && (
          <Notice tone="warning" title={say("plainHttp")}>
            <p>{say("plainHttpDo", { address: `https://${location.hostname}` })}</p>
          </Notice>
        )}
        <div id="content">{children}</div>
      </main>
    </div>
  );
}
