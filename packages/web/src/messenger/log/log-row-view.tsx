import type { ClientMessage, Member } from "@portico/protocol/schemas";
import type { Outgoing } from "../../shared/talk/live/outbox.ts";
import styles from "../../shared/talk/log/log-lines.module.css";
import { DayLine, NewLine } from "../../shared/talk/log/log-lines.tsx";
import { OutgoingRow } from "../../shared/talk/log/outgoing-row.tsx";
import { TALK } from "../../shared/talk/words.ts";
import { useWords } from "../../shared/words/words.ts";
import type { LogRow } from "./log-rows.ts";
import { MessageRow } from "./message-row.tsx";

/** What all rows of a log share. */
export interface RowContext {
  byId: ReadonlyMap<number, ClientMessage>;
  me: Member;
  /** The message that is marked for a moment. */
  shownId: number | null;
  onShowParent: (messageId: number) => void;
  onRetry: (clientMessageId: string) => void;
  onPutBack: ((failed: Outgoing) => void) | null;
  onGiveUp: (clientMessageId: string) => void;
}

/** A row of the log. */
export function LogRowView({ row, context }: { row: LogRow; context: RowContext }) {
  const say = useWords(TALK);
  const { byId, me, shownId, onShowParent, onRetry, onPutBack, onGiveUp } = context;
  switch (row.kind) {
    case "beginning":
      return <p className={styles.beginning}>{byId.size === 0 ? say("nothingYet") : say("beginning")}</p>;
    case "day":
      return <DayLine at={row.at} />;
    case "new":
      return <NewLine />;
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
      const { messageId, parentMessageId } = row.message;
      return (
        <MessageRow
          message={row.message}
          isFirst={row.isFirst}
          isShown={messageId === shownId}
          parent={parentMessageId === null ? undefined : (byId.get(parentMessageId) ?? null)}
          myId={me.userId}
          onShowParent={onShowParent}
        />
      );
    }
  }
}
