import type { ClientMessage } from "@portico/protocol/schemas";
import { type Ref, useEffect, useId, useRef, useState } from "react";
import { ComposerForm } from "../../shared/talk/composer/composer-form.tsx";
import { TooManyOutgoing } from "../../shared/talk/composer/too-many-outgoing.tsx";
import type { Attachments } from "../../shared/talk/composer/use-attachments.ts";
import { changeText, useFieldFocus } from "../../shared/talk/composer/use-field-focus.ts";
import { type ComposerHandle, joined, usePutBack } from "../../shared/talk/composer/use-put-back.ts";
import { useSending } from "../../shared/talk/composer/use-sending.ts";
import type { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { TALK } from "../../shared/talk/words.ts";
import { useWords } from "../../shared/words/words.ts";
import { useMessenger } from "../live/use-messenger.ts";
import { MentionList } from "./mention-list.tsx";
import { type Mentionable, meantIn, mentionedIn, mentionQueryAt, withMention } from "./mention-query.ts";
import { MentionQuestion } from "./mention-question.tsx";
import { useBotsHere } from "./use-bots-here.ts";
import { useMentions } from "./use-mentions.ts";

/** Where a member writes; "@" mentions. */
export function Composer({
  ref,
  log,
  conversationId,
  name,
  attachments,
}: {
  ref: Ref<ComposerHandle>;
  log: ConversationLog<ClientMessage>;
  conversationId: string;
  name: string;
  attachments: Attachments;
}) {
  const say = useWords(TALK);
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { drafts } = useMessenger();
  const [text, setText] = useState(() => drafts.of(conversationId).text);
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(() => drafts.of(conversationId).chosen);
  const sending = useSending(log, attachments);
  const query = caret === null ? null : mentionQueryAt(text, caret, chosen);
  const mentions = useMentions(conversationId, query, choose);
  const botsHere = useBotsHere(conversationId, text);
  /** Bots that are named in what is to be sent; the person is asked whether they are meant. */
  const [asked, setAsked] = useState<readonly Mentionable[]>([]);
  const hasOptions = mentions.options.length > 0;
  useFieldFocus(field);
  // What is not sent when the member goes to another conversation is there when they come back.
  useEffect(() => {
    drafts.keep(conversationId, { text, chosen, files: attachments.items.map(({ file }) => file) });
  }, [drafts, conversationId, text, chosen, attachments.items]);

  usePutBack(ref, {
    log,
    attachments,
    onText({ text: failed, mentions: mentioned = [] }) {
      const all = joined(text, failed);
      changeText(field, all.length, () => {
        setText(all);
        setCaret(null);
        setChosen([...chosen, ...mentioned]);
      });
    },
  });

  function choose(mentionable: Mentionable): void {
    if (query === null) return;
    const next = withMention(text, query, mentionable.name);
    changeText(field, next.caret, () => {
      setText(next.text);
      setCaret(null);
      setChosen([...chosen, mentionable]);
    });
  }

  function send(): void {
    const meant = meantIn(text, botsHere, mentionedIn(text, chosen));
    setAsked(meant);
    if (meant.length === 0) sendWith(chosen);
  }

  function sendWith(all: readonly Mentionable[]): void {
    setAsked([]);
    if (!sending.send(text, mentionedIn(text, all))) return;
    setText("");
    setCaret(null);
    setChosen([]);
    field.current?.focus();
  }

  return (
    <ComposerForm
      field={field}
      label={say("message")}
      placeholder={say("messageTo", { name })}
      sendLabel={say("send")}
      text={text}
      attachments={attachments}
      options={hasOptions ? { id: listId, current: mentions.current } : null}
      above={
        <>
          {hasOptions && (
            <MentionList id={listId} options={mentions.options} current={mentions.current} onChoose={choose} />
          )}
          {asked.length > 0 && (
            <MentionQuestion
              bots={asked}
              onAnswer={(isMeant) => sendWith(isMeant ? [...chosen, ...asked] : chosen)}
              onCancel={() => {
                setAsked([]);
                field.current?.focus();
              }}
            />
          )}
          {sending.isTooMany && <TooManyOutgoing />}
        </>
      }
      takeKey={(event) => {
        if (mentions.takeKey(event)) return true;
        if (event.key === "Escape") setCaret(null);
        return false;
      }}
      onText={(now, at) => {
        setText(now);
        setCaret(at);
        setAsked([]);
      }}
      onBlur={() => setCaret(null)}
      onSend={send}
    />
  );
}
