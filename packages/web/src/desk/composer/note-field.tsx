import { DESK_BOUNDS } from "@portico/protocol/customer";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useRef } from "react";
import { randomId } from "../../shared/calls/random-id.ts";
import { ComposerForm } from "../../shared/talk/composer/composer-form.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { Conversation } from "../live/conversation.ts";
import { deskApi } from "../live/desk-api.ts";
import { useDesk } from "../live/use-desk.ts";
import { DESK } from "../words.ts";

/** Where an agent writes a note, which only agents see. */
export function NoteField({
  field,
  conversation,
  text,
  head,
  onText,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  conversation: Conversation;
  text: string;
  head: ReactNode;
  onText: (text: string) => void;
}) {
  const say = useWords(DESK);
  const { notes } = useDesk();
  const { appId, session } = conversation;
  /** Makes another try the same note, as long as it says the same. */
  const attempt = useRef({ text: "", clientNoteId: "" });
  const save = useMutation({
    mutationFn: async (words: string) => {
      if (attempt.current.text !== words) attempt.current = { text: words, clientNoteId: randomId() };
      const { clientNoteId } = attempt.current;
      const params = { appId, sessionId: String(session.sessionId) };
      return await deskApi.postNote({ params, body: { text: words, clientNoteId } });
    },
    onSuccess(note) {
      attempt.current = { text: "", clientNoteId: "" };
      notes.take(note);
      onText("");
      field.current?.focus();
    },
  });
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
      above={save.isError && <ErrorNotice error={save.error} />}
      takeKey={() => false}
      onText={(now) => onText(now.slice(0, DESK_BOUNDS.noteLength))}
      onBlur={() => {}}
      onSend={() => {
        if (text.trim() !== "" && !save.isPending) save.mutate(text);
      }}
    />
  );
}
