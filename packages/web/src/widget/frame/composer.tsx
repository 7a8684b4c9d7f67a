/** @jsxImportSource preact */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { pastedFiles } from "../../shared/text/pasted-files.ts";
import { excessOf, MOST_TEXT_LENGTH } from "../../shared/text/text-length.ts";
import { Attachments, LeftOutFiles } from "./attachments.tsx";
import { type Choice, chooseFiles } from "./choose-files.ts";
import styles from "./composer.module.css";
import { Icon } from "./icon.tsx";
import { type Draft, fileDraft, type Outgoing } from "./outgoing.ts";
import { forget, keep, kept } from "./storage.ts";
import { useSpeech } from "./widget-context.ts";

/** Safari ends the composing of a word before the key that ended it; that key has this code. */
const COMPOSING = 229;

/** Where the visitor writes: Enter sends, Shift and Enter begins a line. What is not sent is there on the next page. */
export function Composer({
  draftKey,
  focusTurn,
  putBack,
  onPutBack,
  onSend,
  onTyping,
}: {
  /** Null when what is written is not to be there on the next page. */
  draftKey: string | null;
  /** Another number whenever the field is to have the focus. */
  focusTurn: number;
  /** What failed and is to be in the field again; another object each time. */
  putBack: Outgoing | null;
  /** It is. */
  onPutBack: (failed: Outgoing) => void;
  /** False when too much waits to be sent. */
  onSend: (drafts: Draft[]) => boolean;
  onTyping: () => void;
}) {
  const { words, format } = useSpeech();
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is put back.
  useEffect(() => {
    if (putBack === null) return;
    if (putBack.kind === "text") setText(text.trim() === "" ? putBack.text : `${text}\n${putBack.text}`);
    // What finds no room says so, and stays where it is.
    else if (putBack.file === null || !add([putBack.file])) return;
    onPutBack(putBack);
    field.current?.focus();
  }, [putBack]);

  /** At once, as the page may be left in the next moment. */
  function setText(changed: string): void {
    setShownText(changed);
    if (draftKey === null) return;
    if (changed === "") forget(draftKey);
    else keep(draftKey, changed);
  }

  /** @returns whether all of them were taken. */
  function add(given: readonly File[]): boolean {
    const choice = chooseFiles(files, given);
    setFiles(choice.files);
    setLeftOut(choice.leftOut);
    return choice.leftOut.length === 0;
  }

  useDrop(add);

  const excess = excessOf(text, MOST_TEXT_LENGTH);
  const canSend = excess === 0 && (text.trim() !== "" || files.length > 0);

  function send(): void {
    if (!canSend) return;
    const drafts: Draft[] = files.map(fileDraft);
    if (text.trim() !== "") drafts.push({ kind: "text", text });
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
      {excess > 0 && (
        <p role="status" class={styles.refusal}>
          {words.tooLong(excess, format.number(MOST_TEXT_LENGTH))}
        </p>
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
          aria-invalid={excess > 0 || undefined}
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
          onPaste={(event) => {
            const pasted = event.clipboardData === null ? [] : pastedFiles(event.clipboardData);
            if (pasted.length === 0) return;
            event.preventDefault();
            add(pasted);
          }}
        />
        <button type="submit" class={styles.send} aria-label={words.send} disabled={!canSend}>
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
