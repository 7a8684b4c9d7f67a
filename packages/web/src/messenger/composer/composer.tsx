import { PaperClipOutlined, SendOutlined } from "@ant-design/icons-svg";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Icon } from "../../shared/ui/icon.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { useMessenger } from "../live/use-messenger.ts";
import { MESSENGER } from "../words.ts";
import { AttachmentList } from "../../shared/talk/composer/attachment-list.tsx";
import styles from "../../shared/talk/composer/composer.module.css";
import { MentionList } from "./mention-list.tsx";
import { type Mentionable, mentionedIn, mentionQueryAt, withMention } from "./mention-query.ts";
import type { Attachments } from "../../shared/talk/composer/use-attachments.ts";
import { useMentions } from "./use-mentions.ts";

/** Safari ends the composing of a word before the key that ended it; that key has this code. */
const COMPOSING = 229;

/** Where a member writes: Enter sends, Shift and Enter begins a line, "@" mentions, pictures come by paste too. */
export function Composer({
  log,
  conversationId,
  name,
  attachments,
}: {
  log: ConversationLog;
  conversationId: string;
  name: string;
  attachments: Attachments;
}) {
  const say = useWords(MESSENGER);
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const { drafts } = useMessenger();
  const [text, setText] = useState(() => drafts.of(conversationId).text);
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(() => drafts.of(conversationId).chosen);
  const [isTooMany, setTooMany] = useState(false);
  const query = caret === null ? null : mentionQueryAt(text, caret);
  const mentions = useMentions(conversationId, query, choose);
  // What is not sent when the member goes to another conversation is there when they come back.
  useEffect(() => {
    drafts.keep(conversationId, { text, chosen, files: attachments.items.map(({ file }) => file) });
  }, [drafts, conversationId, text, chosen, attachments.items]);

  // Who opens a conversation writes next; on a phone the keyboard would cover what they came to read.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);

  function choose(mentionable: Mentionable): void {
    if (query === null) return;
    const next = withMention(text, query, mentionable.name);
    setText(next.text);
    setCaret(null);
    setChosen([...chosen, mentionable]);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(next.caret, next.caret);
    });
  }

  function send(): void {
    const isEmpty = text.trim() === "";
    if (isEmpty && attachments.items.length === 0) return;
    const isTooMany = attachments.items.length + (isEmpty ? 0 : 1) > log.room;
    setTooMany(isTooMany);
    if (isTooMany) return;
    for (const { file, isPicture } of attachments.items) log.send({ kind: "file", file, isPicture });
    if (!isEmpty) log.send({ kind: "text", text, mentions: mentionedIn(text, chosen) });
    attachments.clear();
    setText("");
    setCaret(null);
    setChosen([]);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // A Chinese word that is being composed ends with Enter too.
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    if (mentions.takeKey(event)) return;
    if (event.key === "Escape") setCaret(null);
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  }

  function onPaste({ clipboardData }: ClipboardEvent): void {
    // Spreadsheets and the like put a picture beside the text that is meant.
    if (!clipboardData.types.includes("text/plain")) attachments.add([...clipboardData.files]);
  }

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {mentions.options.length > 0 && (
        <MentionList id={listId} options={mentions.options} current={mentions.current} onChoose={choose} />
      )}
      {isTooMany && (
        <p role="alert" className={styles.tooMany}>
          {say("tooManyOutgoing")}
        </p>
      )}
      <div className={styles.box}>
        <AttachmentList attachments={attachments} />
        <div className={styles.line}>
          <button
            type="button"
            className={styles.tool}
            aria-label={say("attach")}
            title={say("attach")}
            onClick={() => picker.current?.click()}
          >
            <Icon of={PaperClipOutlined} />
          </button>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={({ target }) => {
              attachments.add([...(target.files ?? [])]);
              target.value = "";
            }}
          />
          <textarea
            ref={field}
            rows={1}
            className={styles.field}
            aria-label={say("message")}
            placeholder={say("messageTo", { name })}
            aria-autocomplete="list"
            aria-controls={mentions.options.length > 0 ? listId : undefined}
            aria-activedescendant={mentions.options.length > 0 ? `${listId}-${mentions.current}` : undefined}
            dir="auto"
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setCaret(target.selectionStart);
            }}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => setCaret(null)}
          />
          <button
            type="submit"
            className={styles.send}
            aria-label={say("send")}
            title={say("send")}
            disabled={text.trim() === "" && attachments.items.length === 0}
          >
            <Icon of={SendOutlined} />
          </button>
        </div>
      </div>
    </form>
  );
}
