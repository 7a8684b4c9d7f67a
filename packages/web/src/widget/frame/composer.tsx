/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Attachments, LeftOutFiles } from "./attachments.tsx";
import { type Choice, chooseFiles } from "./choose-files.ts";
import styles from "./composer.module.css";
import { Icon } from "./icon.tsx";
import { type Draft, fileDraft } from "./outgoing.ts";
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
  const [leftOut, setLeftOut] = useState<Choice["leftOut"]>([]);
  const [isFull, setFull] = useState(false);

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
    const choice = chooseFiles(files, given);
    setFiles(choice.files);
    setLeftOut(choice.leftOut);
  }

  useDrop(add);

  function send(): void {
    const drafts: Draft[] = files.map(fileDraft);
    if (text.trim() !== "") drafts.push({ kind: "text", text });
    if (drafts.length === 0) return;
    const isTaken = onSend(drafts);
    setFull(!isTaken);
    setLeftOut([]);
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
    >
      {(isFull || leftOut.length > 0) && (
        <div role="alert" class={styles.refusal}>
          {isFull && <p>{words.tooMany}</p>}
          <LeftOutFiles leftOut={leftOut} />
        </div>
      )}
      <Attachments files={files} onRemove={(file) => setFiles(files.filter((each) => each !== file))} />
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

/** Takes files that are dropped anywhere in the frame, which would else be left for them. */
function useDrop(onFiles: (files: readonly File[]) => void): void {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const over = (event: DragEvent) => {
      // Text goes into the field by itself.
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      over(event);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) latest.current(files);
    };
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    };
  }, []);
}
