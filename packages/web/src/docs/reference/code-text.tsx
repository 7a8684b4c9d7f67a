import { CheckOutlined, CopyOutlined } from "@ant-design/icons-svg";
import { Icon } from "../../shared/ui/icon.tsx";
import { useCopy } from "../../shared/ui/use-copy.ts";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./code-text.module.css";

/** A text in monospace under its title, to be copied whole. */
export function CodeText({ title, text }: { title: string; text: string }) {
  const say = useWords(SHARED);
  const { outcome, copy } = useCopy();
  return (
    <figure className={styles.code}>
      <figcaption>
        {title}
        <button
          type="button"
          aria-label={`${say("copy")} ${title}`}
          title={say(outcome ?? "copy")}
          onClick={() => copy(text)}
        >
          <Icon of={outcome === "copied" ? CheckOutlined : CopyOutlined} />
        </button>
        <span role="status" className="visually-hidden">
          {outcome && say(outcome)}
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
