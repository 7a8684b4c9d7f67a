import { useEffect, useRef, useState } from "react";
import { ComposerForm } from "../../shared/talk/composer/composer-form.tsx";
import { TooManyOutgoing } from "../../shared/talk/composer/too-many-outgoing.tsx";
import type { Attachments } from "../../shared/talk/composer/use-attachments.ts";
import { useFieldFocus } from "../../shared/talk/composer/use-field-focus.ts";
import type { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { TALK } from "../../shared/talk/words.ts";
import { useWords } from "../../shared/words/words.ts";
import { type Conversation, nameOf } from "../live/conversation.ts";
import type { DeskEntry } from "../live/desk-entry.ts";
import { useDesk } from "../live/use-desk.ts";

/** Where an agent writes to a visitor. */
export function DeskComposer({
  log,
  conversation,
  attachments,
}: {
  log: ConversationLog<DeskEntry>;
  conversation: Conversation;
  attachments: Attachments;
}) {
  const say = useWords(TALK);
  const field = useRef<HTMLTextAreaElement>(null);
  const desk = useDesk();
  const { visitorId } = conversation.visitor;
  const [text, setText] = useState(() => desk.drafts.of(visitorId).text);
  const [isTooMany, setTooMany] = useState(false);
  useFieldFocus(field);
  // What is not sent when the agent goes to another conversation is there when they come back.
  useEffect(() => {
    desk.drafts.keep(visitorId, { text, note: "", files: attachments.items.map(({ file }) => file) });
  }, [desk, visitorId, text, attachments.items]);

  function send(): void {
    const isEmpty = text.trim() === "";
    if (isEmpty && attachments.items.length === 0) return;
    const exceeds = attachments.items.length + (isEmpty ? 0 : 1) > log.room;
    setTooMany(exceeds);
    if (exceeds) return;
    for (const { file, isPicture } of attachments.items) log.send({ kind: "file", file, isPicture });
    if (!isEmpty) log.send({ kind: "text", text });
    attachments.clear();
    setText("");
    field.current?.focus();
  }

  return (
    <ComposerForm
      field={field}
      label={say("message")}
      placeholder={say("messageTo", { name: nameOf(conversation.visitor) })}
      sendLabel={say("send")}
      text={text}
      attachments={attachments}
      options={null}
      above={isTooMany && <TooManyOutgoing />}
      takeKey={() => false}
      onText={(now) => {
        setText(now);
        desk.typesIn(conversation);
      }}
      onBlur={() => {}}
      onSend={send}
    />
  );
}
