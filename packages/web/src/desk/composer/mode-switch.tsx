import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";
import styles from "./mode-switch.module.css";

/** To whom one writes: to the visitor, or to other agents alone. */
export type Mode = "reply" | "note";

/** Chooses to whom one writes, and opens the canned replies. */
export function ModeSwitch({
  mode,
  hasNote,
  onMode,
  onCanned,
}: {
  mode: Mode;
  /** Whether there is a note that is not saved. */
  hasNote: boolean;
  onMode: (mode: Mode) => void;
  onCanned: () => void;
}) {
  const say = useWords(DESK);
  return (
    <div className={styles.modes} data-mode={mode}>
      {(["reply", "note"] as const).map((each) => (
        <button key={each} type="button" aria-pressed={each === mode} onClick={() => onMode(each)}>
          {say(each === "reply" ? "reply" : "internalNote")}
          {each === "note" && mode === "reply" && hasNote && (
            <span className={styles.waits} title={say("noteWaits")}>
              <span className="visually-hidden">, {say("noteWaits")}</span>
            </span>
          )}
        </button>
      ))}
      <button type="button" onClick={onCanned}>
        {say("cannedReplies")}
      </button>
    </div>
  );
}
