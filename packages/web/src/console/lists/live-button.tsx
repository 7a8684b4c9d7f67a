import { Button } from "antd";
import { useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./filters.module.css";
import { LISTS } from "./words.ts";

/** How often a list that is live asks again. */
const EVERY_MS = 3_000;

/** Whether a list renews itself; the person may pause it. `refetchInterval` is for the list's query. */
export interface Live {
  isLive: boolean;
  refetchInterval: number | false;
  toggle: () => void;
}

/** A list that is live while its page is open, until the person pauses it. */
export function useLive(): Live {
  const [isLive, setLive] = useState(true);
  return { isLive, refetchInterval: isLive ? EVERY_MS : false, toggle: () => setLive(!isLive) };
}

/** Says whether a list is live, and pauses it. */
export function LiveButton({ live: { isLive, toggle } }: { live: Live }) {
  const say = useWords(LISTS);
  return (
    <Button
      onClick={toggle}
      icon={<span className={styles.dot} data-live={isLive} aria-hidden="true" />}
      title={say(isLive ? "liveHint" : "pausedHint")}
    >
      {say(isLive ? "pause" : "resume")}
    </Button>
  );
}
