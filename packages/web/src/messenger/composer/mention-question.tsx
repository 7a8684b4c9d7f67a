import { useEffect, useRef } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";
import type { Mentionable } from "./mention-query.ts";
import styles from "./mention-question.module.css";

/** Asks whether bots that are named in a message are to be told of it: who does not choose a name mentions nobody. */
export function MentionQuestion({
  bots,
  onAnswer,
  onCancel,
}: {
  bots: readonly Mentionable[];
  onAnswer: (isMeant: boolean) => void;
  onCancel: () => void;
}) {
  const say = useWords(MESSENGER);
  const question = useRef<HTMLDivElement>(null);
  // Enter, which has sent, then mentions.
  useEffect(() => question.current?.querySelector("button")?.focus(), []);
  const words = say("mentionBot", { name: bots.map(({ name }) => name).join(", ") });
  return (
    <div
      ref={question}
      role="alertdialog"
      aria-label={words}
      className={styles.question}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      <span className={styles.words}>{words}</span>
      <Button kind="primary" size="small" onClick={() => onAnswer(true)}>
        {say("mention")}
      </Button>
      <Button size="small" onClick={() => onAnswer(false)}>
        {say("sendWithout")}
      </Button>
    </div>
  );
}
