import type { Outgoing } from "../../shared/talk/live/outbox.ts";
import lines from "../../shared/talk/log/log-lines.module.css";
import { DayLine, NewLine } from "../../shared/talk/log/log-lines.tsx";
import { OutgoingRow } from "../../shared/talk/log/outgoing-row.tsx";
import type { RowSender } from "../../shared/talk/log/row-frame.tsx";
import { TALK } from "../../shared/talk/words.ts";
import { plainTextOf } from "../../shared/text/file-content.ts";
import { useWords } from "../../shared/words/words.ts";
import type { DeskRow } from "./desk-rows.ts";
import styles from "./entry-row.module.css";
import { EntryRow } from "./entry-row.tsx";
import { NoteRow } from "./note-row.tsx";
import { SessionLine } from "./session-line.tsx";

/** What all rows of a log share. */
export interface RowContext {
  isEmpty: boolean;
  /** The place of the message that is marked, as the agent asked to see it; null for none. */
  place: number | null;
  me: { userId: string; name: string };
  visitor: RowSender;
  /** An agent, by username. */
  agentOf: (username: string | null, name: string | null) => RowSender;
  onRetry: (clientMessageId: string) => void;
  onPutBack: ((failed: Outgoing) => void) | null;
  onGiveUp: (clientMessageId: string) => void;
}

/** A row of the log. */
export function DeskRowView({ row, context }: { row: DeskRow; context: RowContext }) {
  const say = useWords(TALK);
  const { isEmpty, place, me, visitor, agentOf, onRetry, onPutBack, onGiveUp } = context;
  switch (row.kind) {
    case "beginning":
      return <p className={lines.beginning}>{say(isEmpty ? "nothingYet" : "beginning")}</p>;
    case "day":
      return <DayLine at={row.at} />;
    case "session":
      return <SessionLine at={row.at} />;
    case "new":
      return <NewLine />;
    case "note":
      return <NoteRow note={row.note} sender={agentOf(row.note.agentId, row.note.agentName)} />;
    case "outgoing":
      return (
        <OutgoingRow
          outgoing={row.outgoing}
          isFirst={row.isFirst}
          me={me}
          onRetry={onRetry}
          onPutBack={onPutBack}
          onGiveUp={onGiveUp}
        />
      );
    case "message": {
      const { entry, isFirst, isRead } = row;
      if (entry.senderType === "SYSTEM") return <p className={styles.system}>{plainTextOf(entry.content)}</p>;
      const sender = entry.senderType === "VISITOR" ? visitor : agentOf(entry.agentId, entry.agentName);
      const isShown = entry.msgSeq === place;
      return <EntryRow entry={entry} sender={sender} isFirst={isFirst} isRead={isRead} isShown={isShown} />;
    }
  }
}
