import type { Mention } from "@portico/protocol/schemas";
import { Fragment, memo } from "react";
import { Shortened } from "./shortened.tsx";
import styles from "./text-content.module.css";
import { partsOf } from "./text-parts.ts";

/** A text as it was written: with its line breaks, its links, and the names of those it mentions. */
export const TextContent = memo(function TextContent({
  text,
  mentions,
  myId,
}: {
  text: string;
  mentions: readonly Mention[];
  myId: string;
}) {
  return <Shortened text={text}>{(shown) => <Shown text={shown} mentions={mentions} myId={myId} />}</Shortened>;
});

function Shown({ text, mentions, myId }: { text: string; mentions: readonly Mention[]; myId: string }) {
  return (
    <div className={styles.text} dir="auto">
      {partsOf(text, mentions).map((part, index) => {
        const key = `${index}`;
        if (part.kind === "text") return <Fragment key={key}>{part.text}</Fragment>;
        if (part.kind === "mention") {
          return (
            <span key={key} className={styles.mention} data-me={part.userId === myId || undefined}>
              {part.text}
            </span>
          );
        }
        return (
          <a key={key} href={part.href} target="_blank" rel="noopener noreferrer" title={new URL(part.href).host}>
            {part.text}
          </a>
        );
      })}
    </div>
  );
}
