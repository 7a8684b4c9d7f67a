import { Link } from "react-router";
import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import styles from "./errors-section.module.css";
import type { Stats } from "./stats-query.ts";
import { STATISTICS } from "./words.ts";

/** How often each code was the answer; each leads to its calls. */
export function ErrorsSection({ stats: { errorsByCode } }: { stats: Stats }) {
  const say = useWords(STATISTICS);
  const format = useFormat();
  const { appId } = useApp().app;
  const most = Math.max(1, ...errorsByCode.map(({ calls }) => calls));
  return (
    <Section title={say("errorsByCode")} lead={say(errorsByCode.length === 0 ? "noErrors" : "errorsByCodeLead")}>
      {errorsByCode.length > 0 && (
        <ul className={styles.codes} aria-label={say("errorsByCode")}>
          {errorsByCode.map(({ code, calls }) => (
            <li key={code}>
              <Link to={`/apps/${encodeURIComponent(appId)}/requests?code=${encodeURIComponent(code)}`}>{code}</Link>
              <span className={styles.bar} aria-hidden="true">
                <span style={{ width: `${(calls / most) * 100}%` }} />
              </span>
              <span className={styles.calls}>{format.number(calls)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
