import { type ReactNode, useState } from "react";
import { partOf } from "../../text/long-text.ts";
import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import styles from "./shortened.module.css";

/** The beginning of a text that is longer than a page writes one, and more of it when it is asked for. */
export function Shortened({ text, children }: { text: string; children: (shown: string) => ReactNode }) {
  const say = useWords(TALK);
  const [parts, setParts] = useState(1);
  const shown = partOf(text, parts);
  return (
    <>
      {children(shown)}
      {shown.length < text.length && (
        <button type="button" className={styles.more} onClick={() => setParts(parts + 1)}>
          {say("showMore")}
        </button>
      )}
    </>
  );
}
