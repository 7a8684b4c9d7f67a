import { useWords } from "../../shared/words/words.ts";
import { DESK } from "../words.ts";
import styles from "./visitor-panel.module.css";

const MOST = 5;

/** How a conversation was rated. */
export function Stars({ rating }: { rating: number }) {
  const say = useWords(DESK);
  return (
    <span role="img" className={styles.stars} aria-label={say("rated", { rating })} title={say("rated", { rating })}>
      {"★".repeat(rating)}
      <span className={styles.starsLeft}>{"★".repeat(MOST - rating)}</span>
    </span>
  );
}
