import { CopyButton } from "./copy-button.tsx";
import styles from "./log.module.css";

/** A text as it is, in monospace, to be copied whole. */
export function CodeBlock({ title, text }: { title: string; text: string }) {
  return (
    <figure className={styles.code}>
      <figcaption>
        {title}
        <CopyButton text={text} label={title} />
      </figcaption>
      {/* What scrolls has to be reached by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
