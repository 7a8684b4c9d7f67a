import { CheckOutlined, CopyOutlined } from "@ant-design/icons";
import { useEffect, useState } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./copyable.module.css";

/** How long the tick stays. */
const SHOWN_MS = 1_500;

/** An id, a code, an address: in monospace, copied by a click. */
export function Copyable({ text, label }: { text: string; label?: string }) {
  const say = useWords(SHARED);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <span className={styles.copyable}>
      <code>{text}</code>
      <button
        type="button"
        className={styles.button}
        aria-label={`${say("copy")} ${label ?? text}`}
        title={say(isCopied ? "copied" : "copy")}
        onClick={async () => {
          await navigator.clipboard.writeText(text);
          setCopied(true);
        }}
      >
        {isCopied ? <CheckOutlined /> : <CopyOutlined />}
      </button>
      <span role="status" className="visually-hidden">
        {isCopied ? say("copied") : ""}
      </span>
    </span>
  );
}
