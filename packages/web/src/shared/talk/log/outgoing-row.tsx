import { usePreferences } from "../../look/preferences.ts";
import { plainName } from "../../text/plain-name.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { explainError } from "../../ui/explain-error.ts";
import { useFormat } from "../../words/format.ts";
import { SHARED } from "../../words/shared.ts";
import { useWords } from "../../words/words.ts";
import type { Outgoing } from "../live/outbox.ts";
import { TALK } from "../words.ts";
import styles from "./outgoing-row.module.css";
import { Shortened } from "./shortened.tsx";

const STATE_WORDS = { sending: "sending", sent: "sent", failed: "notSent" } as const;

/** Who sends it. */
export interface Sender {
  userId: string;
  name: string;
}

/** A message on its way, or one that failed, with a button to try again. */
export function OutgoingRow({
  outgoing,
  isFirst,
  me,
  onRetry,
  onPutBack,
  onGiveUp,
}: {
  outgoing: Outgoing;
  /** Whether it begins a group of the sender's. */
  isFirst: boolean;
  me: Sender;
  onRetry: (clientMessageId: string) => void;
  /** Puts what failed into the field again; null where there is none. */
  onPutBack: ((failed: Outgoing) => void) | null;
  onGiveUp: (clientMessageId: string) => void;
}) {
  const say = useWords(TALK);
  const { clientMessageId, draft, state, progress, error } = outgoing;
  return (
    <article
      className={styles.row}
      data-first={isFirst || undefined}
      data-state={state}
      aria-label={say(STATE_WORDS[state])}
    >
      <div className={styles.gutter}>{isFirst && <Avatar name={me.name} />}</div>
      <div className={styles.body}>
        {isFirst && (
          <div className={styles.sender} dir="auto">
            {me.name}
          </div>
        )}
        {draft.kind === "text" ? (
          <Shortened text={draft.text}>
            {(shown) => (
              <div className={styles.text} dir="auto">
                {shown}
              </div>
            )}
          </Shortened>
        ) : (
          <File name={draft.file.name} size={draft.file.size} progress={progress} />
        )}
        {state === "failed" && (
          <p className={styles.failure}>
            <Failure error={error} />
            <button type="button" onClick={() => onRetry(clientMessageId)}>
              {say("retry")}
            </button>
            {onPutBack !== null && (
              <button type="button" onClick={() => onPutBack(outgoing)}>
                {say("putBack")}
              </button>
            )}
            <button type="button" onClick={() => onGiveUp(clientMessageId)}>
              {say("giveUp")}
            </button>
          </p>
        )}
      </div>
    </article>
  );
}

function Failure({ error }: { error: unknown }) {
  const say = useWords(SHARED);
  const sayHere = useWords(TALK);
  const { locale } = usePreferences();
  // It was ended with the login.
  if (error === null) return <span role="alert">{sayHere("notSent")}</span>;
  const { what, todo, reference } = explainError(error, say, locale);
  return (
    <span role="alert">
      {sayHere("notSentWhy", { what, todo: todo ?? "" })}
      {reference && ` ${say(reference.kind)} ${reference.text}`}
    </span>
  );
}

function File({ name, size, progress }: { name: string; size: number; progress: number | null }) {
  const format = useFormat();
  return (
    <div className={styles.file}>
      <span className={styles.name} dir="auto">
        {plainName(name)}
      </span>
      <span className={styles.size}>{format.bytes(size)}</span>
      {progress !== null && <progress value={progress} max={1} aria-label={plainName(name)} />}
    </div>
  );
}
