import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

/** A text as it is, in monospace under its title, to be copied whole; `copied` where what is copied is written otherwise. */
export function CodeBlock({ title, text, copied = text }: { title: string; text: string; copied?: string }) {
  return (
    <figure className={styles.code}>
      <figcaption>
        {title}
        <CopyButton text={copied} label={title} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
