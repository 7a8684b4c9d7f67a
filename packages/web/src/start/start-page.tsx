import { useEffect } from "react";
import { useStartInfo } from "../shared/session/start-info.ts";
import { PreferencesMenu } from "../shared/ui/preferences-menu.tsx";
import { TopBar } from "../shared/ui/top-bar.tsx";
import { useWords } from "../shared/words/words.ts";
import { DemoWorld } from "./demo-world.tsx";
import { FirstCommand } from "./first-command.tsx";
import { HealthPill } from "./health-pill.tsx";
import { RefusedNotice } from "./refused-notice.tsx";
import styles from "./start-page.module.css";
import { START } from "./words.ts";

/** What runs here, whether it is well, and where to go. */
export function StartPage() {
  const say = useWords(START);
  const { data: info, error, refetch } = useStartInfo();
  useEffect(() => {
    document.title = `Portico · ${say("area")}`;
  }, [say]);
  const consoleUrl = info === undefined ? location.origin : info.consoleUrl;
  const isConsoleHere = info === undefined || originOf(consoleUrl) === originOf(info.baseUrl);
  const places = [
    { href: isConsoleHere ? "/console/" : `${originOf(consoleUrl)}/console/`, word: "console" },
    { href: "/messenger/", word: "messenger" },
    { href: "/desk/", word: "desk" },
    { href: "/docs/", word: "docs" },
  ] as const;
  return (
    <>
      <TopBar home="/" area={say("area")}>
        <PreferencesMenu />
      </TopBar>
      <main id="content" className={styles.page}>
        <header className={styles.hero}>
          <div className={styles.pills}>
            <HealthPill />
            {info && (
              <span className={styles.quiet}>
                {say("version", { version: info.version })}
                {info.environment === "test" && ` · ${say("testEnvironment")}`}
              </span>
            )}
          </div>
          <h1>{say("title")}</h1>
          <p className={styles.lead}>{say("lead")}</p>
        </header>
        {error !== null && <RefusedNotice error={error} onRetry={() => void refetch()} />}
        <nav aria-label={say("places")}>
          <ul className={styles.places}>
            {places.map(({ href, word }) => (
              <li key={word}>
                <a href={href}>
                  <strong>
                    {say(word)} <span aria-hidden="true">→</span>
                  </strong>
                  <span className={styles.quiet}>{say(`${word}Lead`)}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {info?.demo && <DemoWorld demo={info.demo} isConsoleHere={isConsoleHere} />}
        {info?.demo && <FirstCommand baseUrl={info.baseUrl} />}
      </main>
    </>
  );
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? location.origin;
}
