import { CheckOutlined, CopyOutlined } from "@ant-design/icons-svg";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./copyable.module.css";
import { Icon } from "./icon.tsx";
import { useCopy } from "./use-copy.ts";

/** An id, a code, an address: in monospace, copied by a click. */
export function Copyable({ text, label }: { text: string; label?: string }) {
  const say = useWords(SHARED);
  const { outcome, copy } = useCopy();
  return (
    <span className={styles.copyable}>
      <code>{text}</code>
      <button
        type="button"
        className={styles.button}
        aria-label={`${say("copy")} ${label ?? text}`}
        title={say(outcome ?? "copy")}
        onClick={() => copy(text)}
      >
        {outcome === "copied" ? <Icon of={CheckOutlined} /> : <Icon of={CopyOutlined} />}
      </button>
      <span role="status" className={outcome === "copyFailed" ? undefined : "visually-hidden"}>
        {outcome && say(outcome)}
      </span>
    </span>
  );
}
