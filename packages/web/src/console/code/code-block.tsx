import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

/** A text as it is, in monospace, to be copied whole; `copied` where what is copied is written otherwise. */
export function CodeBlock({ title, text, copied = text }: { title: string; text: string; copied?: string }) {
  return (
    <figure className={styles.code}>
      <figcaption>
        {title}
        <CopyButton text={copied} label={title} />
      </figcaption>
      {/* What scrolls has to be reached by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}

/** JSON with a line for each member; other text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
