import type { CannedReply } from "@portico/protocol/schemas";
import { OptionList } from "../../shared/talk/composer/option-list.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";
import styles from "./canned-list.module.css";

/** The canned replies that can be put into the text. */
export function CannedList({
  id,
  options,
  current,
  onChoose,
}: {
  id: string;
  options: readonly CannedReply[];
  current: number;
  onChoose: (chosen: CannedReply) => void;
}) {
  const say = useWords(DESK);
  return (
    <OptionList
      id={id}
      label={say("cannedReplies")}
      options={options}
      current={current}
      keyOf={({ replyId }) => replyId}
      onChoose={onChoose}
    >
      {({ shortcut, text }) => (
        <>
          <span className={styles.shortcut}>/{shortcut}</span>
          <span className={styles.text} dir="auto">
            {text}
          </span>
        </>
      )}
    </OptionList>
  );
}
