import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import styles from "./composer.module.css";

/** Says that what was written or pasted is too long to be sent, and by how much. */
export function TooLong({ by, most }: { by: number; most: number }) {
  const say = useWords(TALK);
  const format = useFormat();
  return (
    <p role="status" className={styles.tooMany}>
      {say("tooLong", { count: by, most: format.number(most) })}
    </p>
  );
}
