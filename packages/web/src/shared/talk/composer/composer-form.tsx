import { PaperClipOutlined, SendOutlined } from "@ant-design/icons-svg";
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { pastedFiles } from "../../text/pasted-files.ts";
import { excessOf, MOST_TEXT_LENGTH } from "../../text/text-length.ts";
import { Icon } from "../../ui/icon.tsx";
import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import { AttachmentList } from "./attachment-list.tsx";
import styles from "./composer.module.css";
import { TooLong } from "./too-long.tsx";
import type { Attachments } from "./use-attachments.ts";

/** Safari ends the composing of a word before the key that ended it; that key has this code. */
const COMPOSING = 229;

/** Where a person writes: Enter sends, Shift and Enter begins a line, pictures come by paste too. */
export function ComposerForm({
  field,
  label,
  placeholder,
  sendLabel,
  tone,
  text,
  mostLength = MOST_TEXT_LENGTH,
  attachments,
  options,
  above,
  head,
  takeKey,
  onText,
  onBlur,
  onSend,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  /** The field's name. */
  label: string;
  placeholder: string;
  sendLabel: string;
  /** "warn" for what must not be taken for a message. */
  tone?: "warn" | undefined;
  text: string;
  /** In characters; a longer text stays, so that it can be made shorter, and is not sent. */
  mostLength?: number;
  /** Null where nothing can be attached. */
  attachments: Attachments | null;
  /** The list of options that belongs to the field: its id, and which option the keyboard is on. */
  options: { id: string; current: number } | null;
  /** Stands above the box. */
  above?: ReactNode;
  /** Stands in the box, above the field. */
  head?: ReactNode;
  /** @returns whether the key was for somebody else. */
  takeKey: (event: KeyboardEvent) => boolean;
  /** `caret` is null while a word is being composed, which is no place to choose for it. */
  onText: (text: string, caret: number | null) => void;
  onBlur: () => void;
  onSend: () => void;
}) {
  const isEmpty = text.trim() === "" && (attachments === null || attachments.items.length === 0);
  const excess = excessOf(text, mostLength);
  const isTooLong = excess > 0;

  function send(): void {
    if (!isTooLong) onSend();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // A Chinese word that is being composed ends with Enter too.
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    if (takeKey(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  }

  function onPaste(event: ClipboardEvent): void {
    const files = pastedFiles(event.clipboardData);
    if (attachments === null || files.length === 0) return;
    event.preventDefault();
    attachments.add(files);
  }

  return (
    <form
      className={styles.composer}
      data-tone={tone}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {above}
      {isTooLong && <TooLong by={excess} most={mostLength} />}
      <div className={styles.box}>
        {head}
        {attachments !== null && <AttachmentList attachments={attachments} />}
        <div className={styles.line}>
          {attachments !== null && <AttachButton attachments={attachments} />}
          <textarea
            ref={field}
            rows={1}
            className={styles.field}
            aria-label={label}
            aria-invalid={isTooLong || undefined}
            placeholder={placeholder}
            aria-autocomplete="list"
            aria-controls={options?.id}
            aria-activedescendant={options === null ? undefined : `${options.id}-${options.current}`}
            dir="auto"
            value={text}
            onChange={({ target, nativeEvent }) => {
              const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
              onText(target.value, isComposing ? null : target.selectionStart);
            }}
            onCompositionEnd={({ currentTarget }) => onText(currentTarget.value, currentTarget.selectionStart)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={onBlur}
          />
          <button
            type="submit"
            className={styles.send}
            aria-label={sendLabel}
            title={sendLabel}
            disabled={isEmpty || isTooLong}
          >
            <Icon of={SendOutlined} />
          </button>
        </div>
      </div>
    </form>
  );
}

function AttachButton({ attachments }: { attachments: Attachments }) {
  const say = useWords(TALK);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
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
    </>
  );
}
