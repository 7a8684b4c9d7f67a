import { type CardFinding, checkCard, findCardProblems } from "@portico/protocol/cards";
import { useMemo } from "react";
import { findingInWords } from "../../shared/cards/finding-words.ts";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./preview-page.module.css";
import { PREVIEW } from "./words.ts";

/** What the service would say to a card: nothing, or every rule that it breaks, with its place. */
export function Findings({ card }: { card: unknown }) {
  const say = useWords(PREVIEW);
  const findings = useMemo(() => findCardProblems(card), [card]);
  const hasKeys = findings.length === 0 && checkCard(card).images.length > 0;
  return (
    <section className={styles.findings} aria-label={say("check")}>
      <h2>{say("check")}</h2>
      {findings.length === 0 && <p>{say(hasKeys ? "acceptedButKeys" : "accepted")}</p>}
      {findings.length > 0 && <p className={styles.refused}>{say("refused", { count: findings.length })}</p>}
      <ol>
        {findings.map((finding) => (
          <Line key={`${finding.pointer} ${finding.rule}`} finding={finding} />
        ))}
      </ol>
    </section>
  );
}

function Line({ finding }: { finding: CardFinding }) {
  const say = useWords(PREVIEW);
  const { locale } = usePreferences();
  const { what, todo } = findingInWords(finding, locale);
  return (
    <li>
      <code>{finding.pointer || say("wholeCard")}</code>
      <p>
        <strong>{what}</strong> {todo}
      </p>
    </li>
  );
}
