import { CheckOutlined, CopyOutlined } from "@ant-design/icons-svg";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./copy-button.module.css";
import { Icon } from "./icon.tsx";
import { useCopy } from "./use-copy.ts";

/** Copies a text that stands elsewhere on the page; `isInline` beside words, in their height. */
export function CopyButton({ text, label, isInline = false }: { text: string; label: string; isInline?: boolean }) {
  const say = useWords(SHARED);
  const { outcome, copy } = useCopy();
  return (
    <>
      <button
        type="button"
        className={styles.button}
        data-inline={isInline || undefined}
        aria-label={`${say("copy")} ${label}`}
        title={say(outcome ?? "copy")}
        onClick={() => copy(text)}
      >
        <Icon of={outcome === "copied" ? CheckOutlined : CopyOutlined} />
      </button>
      <span role="status" className={outcome === "copyFailed" ? styles.failed : "visually-hidden"}>
        {outcome && say(outcome)}
      </span>
    </>
  );
}
