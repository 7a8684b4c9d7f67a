import { CheckOutlined, CopyOutlined } from "@ant-design/icons-svg";
import { Button } from "antd";
import { Icon } from "../../shared/ui/icon.tsx";
import { useCopy } from "../../shared/ui/use-copy.ts";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";

/** Copies a text that stands elsewhere on the page. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const say = useWords(SHARED);
  const { outcome, copy } = useCopy();
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={outcome === "copied" ? <Icon of={CheckOutlined} /> : <Icon of={CopyOutlined} />}
        aria-label={`${say("copy")} ${label}`}
        title={say(outcome ?? "copy")}
        onClick={() => copy(text)}
      />
      <span role="status" className={outcome === "copyFailed" ? undefined : "visually-hidden"}>
        {outcome && say(outcome)}
      </span>
    </>
  );
}
