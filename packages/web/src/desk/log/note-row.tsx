import type { DeskNote } from "@portico/protocol/schemas";
import { memo } from "react";
import { RowFrame } from "../../shared/talk/log/row-frame.tsx";
import { TextContent } from "../../shared/talk/log/text-content.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";

const NOBODY: readonly never[] = [];

/** A note, which only agents see, in its place among the messages. */
export const NoteRow = memo(function NoteRow({ note }: { note: DeskNote }) {
  const say = useWords(DESK);
  const { agentId, agentName, text, createdAt } = note;
  const name = agentName ?? agentId ?? say("somebody");
  return (
    <RowFrame
      sender={{ id: agentId ?? "", name }}
      at={createdAt}
      isFirst
      tone="warn"
      badge={say("internalNote")}
      label={`${say("internalNote")}, ${name}`}
    >
      <TextContent text={text} mentions={NOBODY} myId="" />
    </RowFrame>
  );
});
