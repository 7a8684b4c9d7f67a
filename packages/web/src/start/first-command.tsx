import { Copyable } from "../shared/ui/copyable.tsx";
import { useWords } from "../shared/words/words.ts";
import styles from "./start-page.module.css";
import { START } from "./words.ts";

/** Where the command line tool looks for the service when it is told nothing. */
const USUAL_URL = "http://localhost:8080";

/** A command that has the demo's bot say something. */
export function FirstCommand({ baseUrl }: { baseUrl: string }) {
  const say = useWords(START);
  const flags = baseUrl === USUAL_URL ? "" : ` --base-url ${baseUrl}`;
  return (
    <section className={styles.section} aria-label={say("first")}>
      <h2>{say("first")}</h2>
      <p className={styles.quiet}>{say("firstLead")}</p>
      <div className={styles.command}>
        <Copyable
          text={`npx portico send --to group:g_demo "Hello from my first bot"${flags}`}
          label={say("firstCommand")}
        />
      </div>
    </section>
  );
}
