import { memo } from "react";
import { PartBoundary } from "../../shared/app/part-boundary.tsx";
import { FileLink } from "../../shared/talk/log/file-link.tsx";
import { Picture } from "../../shared/talk/log/picture.tsx";
import { RowFrame, type RowSender } from "../../shared/talk/log/row-frame.tsx";
import { TextContent } from "../../shared/talk/log/text-content.tsx";
import { TALK } from "../../shared/talk/words.ts";
import { fileOf, plainTextOf } from "../../shared/text/file-content.ts";
import { useWords } from "../../shared/words/words.ts";
import type { DeskEntry } from "../live/desk-entry.ts";
import { DESK } from "../words.ts";
import styles from "./entry-row.module.css";

/** Visitors mention nobody. */
const NOBODY: readonly never[] = [];

/** A message between a visitor and agents. */
export const EntryRow = memo(function EntryRow({
  entry,
  sender,
  isFirst,
  isRead,
  isShown,
}: {
  entry: DeskEntry;
  sender: RowSender;
  /** Whether it begins a group of its sender's. */
  isFirst: boolean;
  /** Whether it is the last that the visitor has read. */
  isRead: boolean;
  /** Whether it is marked, as the agent asked to see it. */
  isShown: boolean;
}) {
  const say = useWords(DESK);
  const sayTalk = useWords(TALK);
  const unknown = <span className={styles.quiet}>{sayTalk("unknownContent")}</span>;
  return (
    <RowFrame
      sender={sender}
      at={entry.createdAt}
      isFirst={isFirst}
      isShown={isShown}
      tone={entry.senderType === "AGENT" ? "agent" : undefined}
      messageId={entry.messageId}
    >
      {/* Whatever a message holds, the others are shown. */}
      <PartBoundary instead={unknown}>
        <Content entry={entry} />
      </PartBoundary>
      {isRead && <p className={styles.read}>{say("read")}</p>}
    </RowFrame>
  );
});

function Content({ entry: { msgType, content } }: { entry: DeskEntry }) {
  const say = useWords(TALK);
  const unknown = <span className={styles.quiet}>{say("unknownContent")}</span>;
  if (msgType === "text") {
    const text = plainTextOf(content);
    return text === null ? unknown : <TextContent text={text} mentions={NOBODY} myId="" />;
  }
  const file = fileOf(content);
  if (file === null) return unknown;
  return msgType === "image" ? <Picture file={file} /> : <FileLink file={file} />;
}
