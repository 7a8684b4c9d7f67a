/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks";
import { isPictureType } from "../../shared/text/pictures.ts";
import { plainName } from "../../shared/text/plain-name.ts";
import styles from "./bubble.module.css";
import { Bubble, Text } from "./bubble.tsx";
import { Icon } from "./icon.tsx";
import type { Outgoing } from "./outbox.ts";
import { useSpeech } from "./widget-context.ts";

/** A message on its way, and what became of it. */
export function OutgoingBubble({
  outgoing,
  isFirst,
  onRetry,
  onDiscard,
}: {
  outgoing: Outgoing;
  isFirst: boolean;
  onRetry: () => void;
  onDiscard: () => void;
}) {
  const { words } = useSpeech();
  const { state } = outgoing;
  return (
    <Bubble isOwn sender={words.you} isFirst={isFirst} foot={<Fate />}>
      {outgoing.kind === "text" ? <Text text={outgoing.text} /> : <OutgoingFile file={outgoing.file} />}
    </Bubble>
  );

  function Fate() {
    if (state === "sent") return null;
    if (state === "queued" || state === "sending") return <span>{words.sending}</span>;
    return (
      <>
        <span class={state === "failed" ? styles.bad : ""}>{state === "failed" ? words.failed : words.waiting}</span>
        <button type="button" onClick={onRetry}>
          {words.retry}
        </button>
        {state === "failed" && (
          <button type="button" onClick={onDiscard}>
            {words.discard}
          </button>
        )}
      </>
    );
  }
}

function OutgoingFile({ file }: { file: File }) {
  const { words, format } = useSpeech();
  const preview = usePreview(file);
  if (preview !== null) {
    return (
      <span class={styles.picture}>
        <img src={preview} alt={words.picture(plainName(file.name))} />
      </span>
    );
  }
  return (
    <span class={styles.file}>
      <Icon of="file" />
      <span class={styles.fileName}>{plainName(file.name)}</span>
      <span class={styles.size}>{format.bytes(file.size)}</span>
    </span>
  );
}

/** The address of a picture in this page's memory; null for another file. */
export function usePreview(file: File): string | null {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (!isPictureType(file.type)) return undefined;
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return preview;
}
