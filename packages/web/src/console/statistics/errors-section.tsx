import { Link } from "react-router";
import { Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { BarList } from "../ui/bar-list.tsx";
import styles from "./errors-section.module.css";
import type { Stats } from "./stats-query.ts";
import { STATISTICS } from "./words.ts";

/** How often each code was the answer; each leads to its calls. */
export function ErrorsSection({ stats: { errorsByCode } }: { stats: Stats }) {
  const say = useWords(STATISTICS);
  const { appId } = useApp().app;
  const requests = `/apps/${encodeURIComponent(appId)}/requests`;
  const most = Math.max(1, ...errorsByCode.map(({ calls }) => calls));
  return (
    <Section title={say("errorsByCode")} lead={say(errorsByCode.length === 0 ? "noErrors" : "errorsByCodeLead")}>
      {errorsByCode.length > 0 && (
        <BarList
          label={say("errorsByCode")}
          bars={errorsByCode.map(({ code, calls }) => ({
            key: code,
            name: (
              <Link className={styles.code} to={`${requests}?code=${encodeURIComponent(code)}`}>
                {code}
              </Link>
            ),
            count: calls,
          }))}
          full={most}
          tone="bad"
        />
      )}
    </Section>
  );
}
