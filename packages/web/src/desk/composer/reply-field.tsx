import type { CannedReply } from "@portico/protocol/schemas";
import { type ReactNode, type RefObject, useId, useState } from "react";
import { ComposerForm } from "../../shared/talk/composer/composer-form.tsx";
import { TooManyOutgoing } from "../../shared/talk/composer/too-many-outgoing.tsx";
import type { Attachments } from "../../shared/talk/composer/use-attachments.ts";
import { changeText } from "../../shared/talk/composer/use-field-focus.ts";
import { useSending } from "../../shared/talk/composer/use-sending.ts";
import type { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { TALK } from "../../shared/talk/words.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CannedList } from "../canned/canned-list.tsx";
import { cannedQueryAt, filledIn, withReply } from "../canned/canned-query.ts";
import { useCanned } from "../canned/use-canned.ts";
import { type Conversation, callNameOf, nameOf } from "../live/conversation.ts";
import type { DeskEntry } from "../live/desk-entry.ts";
import { useDesk, useDeskNow } from "../live/use-desk.ts";

/** Where an agent writes to the visitor; "/" finds a canned reply. */
export function ReplyField({
  field,
  log,
  conversation,
  attachments,
  text,
  head,
  onText,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  log: ConversationLog<DeskEntry>;
  conversation: Conversation;
  attachments: Attachments;
  text: string;
  head: ReactNode;
  onText: (text: string) => void;
}) {
  const say = useWords(TALK);
  const listId = useId();
  const desk = useDesk();
  const { apps } = useDeskNow();
  const { appId, visitor } = conversation;
  const [caret, setCaret] = useState<number | null>(null);
  const sending = useSending(log, attachments);
  const query = caret === null ? null : cannedQueryAt(text, caret);
  const canned = useCanned(appId, query, choose);
  const isLost = query !== null && canned.error !== null;
  const hasOptions = canned.options.length > 0;

  function choose(reply: CannedReply): void {
    if (query === null) return;
    const app = apps?.find((each) => each.appId === appId)?.name ?? "";
    const words = filledIn(reply.text, { visitor: callNameOf(visitor), agent: desk.me.name, app });
    const next = withReply(text, query, words);
    changeText(field, next.caret, () => {
      onText(next.text);
      setCaret(null);
    });
  }

  function send(): void {
    if (!sending.send(text)) return;
    desk.hasSent();
    onText("");
    setCaret(null);
    field.current?.focus();
  }

  return (
    <ComposerForm
      field={field}
      label={say("message")}
      placeholder={say("messageTo", { name: nameOf(visitor) })}
      sendLabel={say("send")}
      text={text}
      attachments={attachments}
      options={hasOptions ? { id: listId, current: canned.current } : null}
      head={head}
      above={
        <>
          {hasOptions && <CannedList id={listId} options={canned.options} current={canned.current} onChoose={choose} />}
          {isLost && <ErrorNotice error={canned.error} onRetry={canned.retry} />}
          {sending.isTooMany && <TooManyOutgoing />}
        </>
      }
      takeKey={(event) => {
        if (canned.takeKey(event)) return true;
        if (event.key === "Escape") setCaret(null);
        return false;
      }}
      onText={(now, at) => {
        onText(now);
        setCaret(at);
        desk.typesIn(conversation);
      }}
      onBlur={() => setCaret(null)}
      onSend={send}
    />
  );
}
