/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { fileOf } from "../../shared/text/file-content.ts";
import { linkParts } from "../../shared/text/links.ts";
import { partOf } from "../../shared/text/long-text.ts";
import styles from "./bubble.module.css";
import { Icon } from "./icon.tsx";
import { useSpeech } from "./widget-context.ts";

/** A message: on the right what the visitor wrote, on the left what others did. */
export function Bubble({
  isOwn,
  sender,
  isFirst,
  seq,
  children,
  foot,
}: {
  isOwn: boolean;
  /** Who wrote it, for those who cannot see the sides. */
  sender: string;
  /** Whether it begins what the sender wrote. */
  isFirst: boolean;
  /** The number of the message, once it has one. */
  seq?: number;
  children: ComponentChildren;
  foot?: ComponentChildren;
}) {
  return (
    <article class={`${styles.row} ${isOwn ? styles.own : styles.other} ${isFirst ? styles.first : ""}`} data-seq={seq}>
      {isFirst && <p class={isOwn ? "visually-hidden" : styles.sender}>{sender}</p>}
      {children}
      {foot !== undefined && <div class={styles.foot}>{foot}</div>}
    </article>
  );
}

/** A text, its addresses as links; of a very long one its beginning, and more when it is asked for. */
export function Text({ text }: { text: string }) {
  const { words } = useSpeech();
  const [parts, setParts] = useState(1);
  const shown = partOf(text, parts);
  return (
    <div class={styles.text}>
      {linkParts(shown).map(({ at, text: part, href }) =>
        href === null ? (
          part
        ) : (
          <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {part}
          </a>
        ),
      )}
      {shown.length < text.length && (
        <>
          {" "}
          <button type="button" class={styles.more} onClick={() => setParts(parts + 1)}>
            {words.showMore}
          </button>
        </>
      )}
    </div>
  );
}

/** What a message holds. */
export function Content({ msgType, content }: { msgType: string; content: unknown }) {
  const { words, format } = useSpeech();
  if (typeof content === "string") return <Text text={content} />;
  const file = fileOf(content);
  if (file === null) return null;
  if (msgType === "image") {
    return (
      <a class={styles.picture} href={file.url} target="_blank" rel="noopener noreferrer">
        <img src={file.url} alt={words.picture(file.fileName)} width={file.width || 240} height={file.height || 180} />
      </a>
    );
  }
  const size = format.bytes(file.size);
  const name = file.fileName || "file";
  return (
    <a
      class={styles.file}
      href={file.url}
      download={name}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={words.download(name, size)}
    >
      <Icon of="file" />
      <span class={styles.fileName}>{name}</span>
      <span class={styles.size}>{size}</span>
      <Icon of="download" />
    </a>
  );
}
