import { PaperClipOutlined, SendOutlined } from "@ant-design/icons";
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import type { ConversationLog } from "../live/conversation-log.ts";
import { MESSENGER } from "../words.ts";
import { AttachmentList } from "./attachment-list.tsx";
import styles from "./composer.module.css";
import { MentionList } from "./mention-list.tsx";
import { type Mentionable, mentionedIn, mentionQueryAt, withMention } from "./mention-query.ts";
import { useAttachments } from "./use-attachments.ts";
import { useMentions } from "./use-mentions.ts";

/** Where a member writes: Enter sends, Shift and Enter begins a line, "@" mentions, pictures come by paste and drop too. */
export function Composer({
  log,
  conversationId,
  name,
}: {
  log: ConversationLog;
  conversationId: string;
  name: string;
}) {
  const say = useWords(MESSENGER);
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState<readonly Mentionable[]>([]);
  const attachments = useAttachments();
  const query = caret === null ? null : mentionQueryAt(text, caret);
  const mentions = useMentions(conversationId, query, choose);

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
    if (event.nativeEvent.isComposing) return;
    if (mentions.takeKey(event)) return;
    if (event.key === "Escape") setCaret(null);
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  }

  function onPaste({ clipboardData }: ClipboardEvent): void {
    attachments.add([...clipboardData.files]);
  }

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        attachments.add([...event.dataTransfer.files]);
      }}
    >
      {mentions.options.length > 0 && (
        <MentionList id={listId} options={mentions.options} current={mentions.current} onChoose={choose} />
      )}
      <div className={styles.box}>
        <AttachmentList items={attachments.items} refusal={attachments.refusal} onRemove={attachments.remove} />
        <div className={styles.line}>
          <button
            type="button"
            className={styles.tool}
            aria-label={say("attach")}
            title={say("attach")}
            onClick={() => picker.current?.click()}
          >
            <PaperClipOutlined />
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
            <SendOutlined />
          </button>
        </div>
      </div>
    </form>
  );
}
