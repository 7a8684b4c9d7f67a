import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { Conversation } from "../live/conversation.ts";
import { useNotes } from "../live/use-desk.ts";
import { DESK } from "../words.ts";
import styles from "./visitor-panel.module.css";

/** The panel has so many; all of them stand among the messages. */
const SHOWN = 5;

/** The newest notes about the visitor. */
export function PanelNotes({ conversation }: { conversation: Conversation }) {
  const say = useWords(DESK);
  const notes = useNotes(conversation).slice(-SHOWN).reverse();
  if (notes.length === 0) return null;
  return (
    <div className={styles.part}>
      <h3>{say("notes")}</h3>
      <ul className={styles.entries}>
        {notes.map(({ noteId, agentName, agentId, text, createdAt }) => (
          <li key={noteId} className={styles.note}>
            <p className={styles.noteText} dir="auto">
              {text}
            </p>
            <span className={styles.quiet}>
              {agentName ?? agentId ?? say("somebody")} · <TimeAgo at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
