/** @jsxImportSource preact */
import { LIMITS } from "@portico/protocol/limits";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plainName } from "../../shared/text/plain-name.ts";
import styles from "./composer.module.css";
import { Icon } from "./icon.tsx";
import { type Draft, MAX_WAITING } from "./outbox.ts";
import { usePreview } from "./outgoing-bubble.tsx";
import { forget, keep, kept } from "./storage.ts";
import { useSpeech } from "./widget-context.ts";

/** Safari ends the composing of a word before the key that ended it; that key has this code. */
const COMPOSING = 229;
const MAX_TEXT_LENGTH = 10_000;

/** Where the visitor writes: Enter sends, Shift and Enter begins a line. What is not sent is there on the next page. */
export function Composer({
  draftKey,
  focusTurn,
  onSend,
  onTyping,
}: {
  /** Null when what is written is not to be there on the next page. */
  draftKey: string | null;
  /** Another number whenever the field is to have the focus. */
  focusTurn: number;
  /** False when too much waits to be sent. */
  onSend: (drafts: Draft[]) => boolean;
  onTyping: () => void;
}) {
  const { words } = useSpeech();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [text, setShownText] = useState(() => (draftKey === null ? "" : (kept(draftKey) ?? "")));
  const [files, setFiles] = useState<readonly File[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);

  useEffect(() => {
    // On a phone the keyboard would cover what the visitor came to read.
    if (focusTurn > 0 && matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [focusTurn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of the field follows from its text.
  useLayoutEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.style.height = "auto";
    current.style.height = `${current.scrollHeight}px`;
  }, [text]);

  /** At once, as the page may be left in the next moment. */
  function setText(changed: string): void {
    setShownText(changed);
    if (draftKey === null) return;
    if (changed === "") forget(draftKey);
    else keep(draftKey, changed);
  }

  function add(given: readonly File[]): void {
    const tooLarge = given.find(({ size }) => size > LIMITS.uploadFileBytes);
    setRefusal(tooLarge === undefined ? null : words.tooLarge(plainName(tooLarge.name)));
    setFiles([...files, ...given.filter((file) => file !== tooLarge && file.size > 0)].slice(0, MAX_WAITING - 1));
  }

  function send(): void {
    const drafts: Draft[] = files.map((file) => ({ kind: "file", file }));
    if (text.trim() !== "") drafts.push({ kind: "text", text });
    if (drafts.length === 0) return;
    const isTaken = onSend(drafts);
    setRefusal(isTaken ? null : words.tooMany);
    if (!isTaken) return;
    setText("");
    setFiles([]);
    field.current?.focus();
  }

  return (
    <form
      class={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {refusal !== null && (
        <p role="alert" class={styles.refusal}>
          {refusal}
        </p>
      )}
      {files.length > 0 && (
        <ul class={styles.files}>
          {files.map((file) => (
            <Chip
              key={`${file.name} ${file.lastModified} ${file.size}`}
              file={file}
              onRemove={() => setFiles(files.filter((each) => each !== file))}
            />
          ))}
        </ul>
      )}
      <div class={styles.row}>
        <button type="button" class={styles.attach} aria-label={words.attach} onClick={() => picker.current?.click()}>
          <Icon of="attach" />
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])]);
            currentTarget.value = "";
            field.current?.focus();
          }}
        />
        <textarea
          ref={field}
          aria-label={words.message}
          placeholder={words.placeholder}
          rows={1}
          maxLength={MAX_TEXT_LENGTH}
          enterkeyhint="send"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            if (currentTarget.value !== "") onTyping();
          }}
          onKeyDown={(event) => {
            // A Chinese word that is being composed ends with Enter too.
            if (event.isComposing || event.keyCode === COMPOSING || event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            send();
          }}
          onPaste={({ clipboardData }) => {
            // Spreadsheets and the like put a picture beside the text that is meant.
            if (clipboardData?.types.includes("text/plain") === false) add([...clipboardData.files]);
          }}
        />
        <button
          type="submit"
          class={styles.send}
          aria-label={words.send}
          disabled={text.trim() === "" && files.length === 0}
        >
          <Icon of="send" />
        </button>
      </div>
    </form>
  );
}

function Chip({ file, onRemove }: { file: File; onRemove: () => void }) {
  const { words } = useSpeech();
  const preview = usePreview(file);
  const name = plainName(file.name);
  return (
    <li class={styles.chip}>
      {preview === null ? <Icon of="file" /> : <img src={preview} alt="" />}
      <span title={name}>{name}</span>
      <button type="button" aria-label={words.removeFile(name)} onClick={onRemove}>
        <Icon of="close" />
      </button>
    </li>
  );
}
