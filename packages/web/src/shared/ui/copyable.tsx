import { CopyButton } from "./copy-button.tsx";
import styles from "./copyable.module.css";

/** An id, a code, an address: in monospace, copied by a click. */
export function Copyable({ text, label = text }: { text: string; label?: string }) {
  return (
    <span className={styles.copyable}>
      <code>{text}</code>
      <CopyButton text={text} label={label} isInline />
    </span>
  );
}
