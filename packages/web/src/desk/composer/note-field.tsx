import { DESK_BOUNDS } from "@portico/protocol/customer";
import type { ReactNode, RefObject } from "react";
import { ComposerForm } from "../../shared/talk/composer/composer-form.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { Conversation } from "../live/conversation.ts";
import { useDesk, useNoteDraft } from "../live/use-desk.ts";
import { DESK } from "../words.ts";

/** Where an agent writes a note, which only agents see. */
export function NoteField({
  field,
  conversation,
  head,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  conversation: Conversation;
  head: ReactNode;
}) {
  const say = useWords(DESK);
  const { notes } = useDesk().drafts;
  const { text, isTakenOut, error } = useNoteDraft(conversation);
  const { appId, session, visitor } = conversation;
  const params = { appId, sessionId: String(session.sessionId) };
  // A note that stands in the field is saved by Enter; one that has made room for other words needs a button.
  const retry = isTakenOut ? () => void notes.retry(visitor.visitorId, params) : undefined;
  return (
    <ComposerForm
      field={field}
      label={say("internalNote")}
      placeholder={say("notePlaceholder")}
      sendLabel={say("addNote")}
      tone="warn"
      text={text}
      attachments={null}
      options={null}
      head={head}
      mostLength={DESK_BOUNDS.noteLength}
      above={error !== null && <ErrorNotice error={error} {...(retry && { onRetry: retry })} />}
      takeKey={() => false}
      onText={(now) => notes.write(visitor.visitorId, now)}
      onBlur={() => {}}
      onSend={() => {
        field.current?.focus();
        void notes.submit(visitor.visitorId, params);
      }}
    />
  );
}
