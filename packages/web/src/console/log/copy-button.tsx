import { CheckOutlined, CopyOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useState } from "react";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";

/** How long the tick stays. */
const SHOWN_MS = 1_500;

/** Copies a text that stands elsewhere on the page. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const say = useWords(SHARED);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={isCopied ? <CheckOutlined /> : <CopyOutlined />}
        aria-label={`${say("copy")} ${label}`}
        title={say(isCopied ? "copied" : "copy")}
        onClick={async () => {
          await navigator.clipboard.writeText(text);
          setCopied(true);
        }}
      />
      <span role="status" className="visually-hidden">
        {isCopied ? say("copied") : ""}
      </span>
    </>
  );
}
