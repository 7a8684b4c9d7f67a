import { useWords } from "../../words/words.ts";
import { TALK } from "../words.ts";
import styles from "./composer.module.css";

/** Says that what was written is not sent, as too much is still on its way. */
export function TooManyOutgoing() {
  const say = useWords(TALK);
  return (
    <p role="alert" className={styles.tooMany}>
      {say("tooManyOutgoing")}
    </p>
  );
}
