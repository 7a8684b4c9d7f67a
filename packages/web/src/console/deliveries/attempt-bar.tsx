import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { isKept, phasesOf, type TimedAttempt } from "./attempt-phases.ts";
import styles from "./deliveries.module.css";
import { DELIVERIES } from "./words.ts";

/** Where the time of an attempt went: a bar as long as it took beside the longest, and the same in words. */
export function AttemptBar({ attempt, longestMs }: { attempt: TimedAttempt; longestMs: number }) {
  const say = useWords(DELIVERIES);
  const format = useFormat();
  const phases = phasesOf(attempt);
  const totalMs = Math.max(
    phases.reduce((sum, { ms }) => sum + ms, 0),
    0.1,
  );
  return (
    <div>
      <div className={styles.track} aria-hidden="true">
        <div className={styles.bar} style={{ width: `${Math.max(2, (totalMs / Math.max(longestMs, 0.1)) * 100)}%` }}>
          {phases.map(({ phase, ms, failed }) => (
            <span
              key={phase}
              data-phase={phase}
              data-failed={failed}
              style={{ flexGrow: Math.max(ms, totalMs / 100) }}
            />
          ))}
        </div>
      </div>
      <ul className={styles.phases} aria-label={say("phases")}>
        {phases.map(({ phase, ms, failed }) => (
          <li key={phase} data-phase={phase} data-failed={failed}>
            {say(phase)} {format.duration(Math.round(ms * 10) / 10)}
            {failed && ` – ${say("failedHere")}`}
          </li>
        ))}
        {isKept(attempt) && <li>{say("kept")}</li>}
      </ul>
    </div>
  );
}
