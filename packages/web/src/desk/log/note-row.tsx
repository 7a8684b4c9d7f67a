import type { DeskNote } from "@portico/protocol/schemas";
import { memo } from "react";
import { RowFrame, type RowSender } from "../../shared/talk/log/row-frame.tsx";
import { TextContent } from "../../shared/talk/log/text-content.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";

const NOBODY: readonly never[] = [];

/** A note, which only agents see, in its place among the messages. */
export const NoteRow = memo(function NoteRow({ note, sender }: { note: DeskNote; sender: RowSender }) {
  const say = useWords(DESK);
  const { text, createdAt } = note;
  return (
    <RowFrame
      sender={sender}
      at={createdAt}
      isFirst
      tone="warn"
      badge={say("internalNote")}
      label={`${say("internalNote")}, ${sender.name}`}
    >
      <TextContent text={text} mentions={NOBODY} myId="" />
    </RowFrame>
  );
});
