import { lazy, type Ref, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Attachments } from "../../shared/talk/composer/use-attachments.ts";
import { changeText, useFieldFocus } from "../../shared/talk/composer/use-field-focus.ts";
import { type ComposerHandle, joined, usePutBack } from "../../shared/talk/composer/use-put-back.ts";
import type { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { DialogPart } from "../../shared/ui/dialog-part.tsx";
import { useShortcut } from "../keyboard/use-shortcut.ts";
import type { Conversation } from "../live/conversation.ts";
import type { DeskEntry } from "../live/desk-entry.ts";
import { isWaiting } from "../live/note-drafts.ts";
import { useDesk, useNoteDraft } from "../live/use-desk.ts";
import { type Mode, ModeSwitch } from "./mode-switch.tsx";
import { NoteField } from "./note-field.tsx";
import { ReplyField } from "./reply-field.tsx";

const CannedDialog = lazy(async () => ({ default: (await import("../canned/canned-dialog.tsx")).CannedDialog }));

/** Where an agent writes: to the visitor, or a note for other agents. Each has a text of its own, so neither becomes the other. */
export function DeskComposer({
  ref,
  log,
  conversation,
  attachments,
}: {
  ref: Ref<ComposerHandle>;
  log: ConversationLog<DeskEntry>;
  conversation: Conversation;
  attachments: Attachments;
}) {
  const drafts = useDesk().drafts.replies;
  const { visitorId } = conversation.visitor;
  const [text, setText] = useState(() => drafts.of(visitorId).text);
  const [mode, setMode] = useState(() => drafts.of(visitorId).mode);
  const hasNote = isWaiting(useNoteDraft(conversation));
  const [showsCanned, setShowsCanned] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useFieldFocus(field);
  // What is not sent when the agent goes to another conversation is there when they come back, and so is to whom it goes:
  // the second half of a note must not be sent to the visitor.
  useEffect(() => {
    drafts.keep(visitorId, { text, mode, files: attachments.items.map(({ file }) => file) });
  }, [drafts, visitorId, text, mode, attachments.items]);
  usePutBack(ref, {
    log,
    attachments,
    onText(draft) {
      const all = joined(text, draft.text);
      changeText(field, all.length, () => {
        setMode("reply");
        setText(all);
      });
    },
  });
  const choose = (next: Mode) => {
    // Now, not at the next frame: what is typed until then would be lost.
    flushSync(() => setMode(next));
    field.current?.focus();
  };
  useShortcut("note", () => choose(mode === "reply" ? "note" : "reply"));
  useShortcut("write", () => field.current?.focus());
  const head = <ModeSwitch mode={mode} hasNote={hasNote} onMode={choose} onCanned={() => setShowsCanned(true)} />;
  return (
    <>
      {mode === "note" ? (
        <NoteField field={field} conversation={conversation} head={head} />
      ) : (
        <ReplyField
          field={field}
          log={log}
          conversation={conversation}
          attachments={attachments}
          text={text}
          head={head}
          onText={setText}
        />
      )}
      {showsCanned && (
        <DialogPart onClose={() => setShowsCanned(false)}>
          <CannedDialog appId={conversation.appId} onClose={() => setShowsCanned(false)} />
        </DialogPart>
      )}
    </>
  );
}
