import { SHARED } from "../../words/shared.ts";
import { useWords } from "../../words/words.ts";
import styles from "./log-skeleton.module.css";

/** Stands where messages are being read: who takes less than a moment sees none of it. */
export function LogSkeleton() {
  const say = useWords(SHARED);
  return (
    <div role="status" aria-label={say("loading")} className={styles.skeleton}>
      {[62, 38, 74, 51].map((width) => (
        <div key={width} className={styles.row}>
          <span />
          <span style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}
