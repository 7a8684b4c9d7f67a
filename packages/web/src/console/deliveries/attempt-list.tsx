import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { Pill } from "../../shared/ui/pill.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { AttemptBar } from "./attempt-bar.tsx";
import styles from "./deliveries.module.css";
import type { Attempt, DeliveryDetail } from "./delivery-queries.ts";
import { prettyJson } from "./pretty-json.ts";
import { REASONS, wordOfReason } from "./reason-words.ts";
import { DELIVERIES } from "./words.ts";

/** The service keeps no more to show. */
const MOST_SHOWN = 100;

/** The attempts of a delivery, in their order, as a line of time. */
export function AttemptList({
  delivery: { attempts, attemptCount, nextAttemptAt, status },
}: {
  delivery: DeliveryDetail;
}) {
  const say = useWords(DELIVERIES);
  const format = useFormat();
  const longestMs = Math.max(0, ...attempts.map(({ durationMs }) => durationMs));
  const first = Math.max(1, attemptCount - attempts.length + 1);
  const isUnderWay = nextAttemptAt === null && (status === "PENDING" || status === "RETRYING");
  return (
    <>
      {attempts.length === MOST_SHOWN && <p className={styles.quiet}>{say("olderAttempts")}</p>}
      <ol aria-label={say("attempts")} className={styles.attempts}>
        {attempts.map((attempt, index) => (
          <AttemptItem
            key={attempt.at}
            attempt={attempt}
            number={first + index}
            longestMs={longestMs}
            isNewest={index === attempts.length - 1}
          />
        ))}
      </ol>
      {attempts.length === 0 && status !== "DROPPED" && <p className={styles.quiet}>{say("noAttempts")}</p>}
      {isUnderWay && <p className={styles.quiet}>{say("underWay")}</p>}
      {nextAttemptAt !== null && (
        <p className={styles.quiet}>
          {say("next")}: {format.dateTime(nextAttemptAt)}
        </p>
      )}
    </>
  );
}

function AttemptItem({
  attempt,
  number,
  longestMs,
  isNewest,
}: {
  attempt: Attempt;
  number: number;
  longestMs: number;
  isNewest: boolean;
}) {
  const say = useWords(DELIVERIES);
  const sayReason = useWords(REASONS);
  const format = useFormat();
  const { at, address, status, reason, detail, durationMs, answer } = attempt;
  const isBySocket = address === "socket";
  const isGood = isBySocket ? reason === null : status !== null && status >= 200 && status < 300;
  return (
    <li data-good={isGood}>
      <div className={styles.head}>
        <strong>{say("attempt", { number })}</strong>
        <Pill tone={isGood ? "good" : "bad"}>
          {isBySocket && isGood ? say("acknowledged") : (status ?? wordOfReason(reason, sayReason))}
        </Pill>
        <span>{format.dateTime(at)}</span>
        <span>{format.duration(durationMs)}</span>
        {isBySocket && <span>{say("bySocket")}</span>}
        {address !== null && !isBySocket && <code title={say("address")}>{address}</code>}
      </div>
      {!isBySocket && <AttemptBar attempt={attempt} longestMs={longestMs} />}
      {detail !== null && <p className={styles.quiet}>{detail}</p>}
      {answer !== "" && <Answer text={answer} isNewest={isNewest} />}
      {answer === "" && status !== null && <p className={styles.quiet}>{say("receiverSaidNothing")}</p>}
    </li>
  );
}

/** What an older attempt was answered matters less, so it stands behind a click. */
function Answer({ text, isNewest }: { text: string; isNewest: boolean }) {
  const say = useWords(DELIVERIES);
  const block = <CodeBlock title={say("receiverSaid")} text={prettyJson(text)} />;
  if (isNewest) return block;
  return (
    <details className={styles.older}>
      <summary>{say("receiverSaid")}</summary>
      {block}
    </details>
  );
}
