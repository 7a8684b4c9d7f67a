/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks";
import { isPictureType } from "../../shared/text/pictures.ts";
import { plainName } from "../../shared/text/plain-name.ts";
import styles from "./bubble.module.css";
import { Bubble, Text } from "./bubble.tsx";
import { Icon } from "./icon.tsx";
import type { Outgoing } from "./outgoing.ts";
import { useSpeech } from "./widget-context.ts";

/** A message on its way, and what became of it. */
export function OutgoingBubble({
  outgoing,
  isFirst,
  onRetry,
  onPutBack,
  onDiscard,
}: {
  outgoing: Outgoing;
  isFirst: boolean;
  onRetry: () => void;
  onPutBack: () => void;
  onDiscard: () => void;
}) {
  const { words } = useSpeech();
  const { state } = outgoing;
  return (
    <Bubble isOwn sender={words.you} isFirst={isFirst} foot={<Fate />}>
      {outgoing.kind === "text" ? <Text text={outgoing.text} /> : <OutgoingFile of={outgoing} />}
    </Bubble>
  );

  function Fate() {
    if (state === "sent") return null;
    if (state === "queued" || state === "sending") return <span>{words.sending}</span>;
    const isWaiting = state === "waiting";
    return (
      <>
        <span class={isWaiting ? "" : styles.bad}>{isWaiting ? waiting() : words[state]}</span>
        {state !== "gone" && (
          <button type="button" onClick={onRetry}>
            {words.retry}
          </button>
        )}
        {state === "failed" && (outgoing.kind === "text" || outgoing.file !== null) && (
          <button type="button" onClick={onPutBack}>
            {words.putBack}
          </button>
        )}
        {!isWaiting && (
          <button type="button" onClick={onDiscard}>
            {words.discard}
          </button>
        )}
      </>
    );
  }

  function waiting() {
    return outgoing.isKept ? words.waiting : words.waitingHere;
  }
}

function OutgoingFile({ of: { file, name: given, size } }: { of: Outgoing & { kind: "file" } }) {
  const { words, format } = useSpeech();
  const preview = usePreview(file);
  const name = plainName(given);
  if (preview !== null) {
    return (
      <span class={styles.picture}>
        <img src={preview} alt={words.picture(name)} />
      </span>
    );
  }
  return (
    <span class={styles.file}>
      <Icon of="file" />
      <span class={styles.fileName}>{name}</span>
      <span class={styles.size}>{format.bytes(size)}</span>
    </span>
  );
}

/** The address of a picture in this page's memory; null for another file, and for none. */
export function usePreview(file: File | null): string | null {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (file === null || !isPictureType(file.type)) return undefined;
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return preview;
}
