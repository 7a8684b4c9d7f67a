import { useEffect, useState, useSyncExternalStore } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./offline-notice.module.css";

/** A connection that breaks for less than this is not worth a word. */
const WORTH_MS = 2_000;

/** Says that the page is cut off: the browser is offline, or its stream has been broken for a while. */
export function OfflineNotice({ isLive }: { isLive: boolean }) {
  const say = useWords(SHARED);
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (isLive) {
      setLost(false);
      return;
    }
    const timer = setTimeout(() => setLost(true), WORTH_MS);
    return () => clearTimeout(timer);
  }, [isLive]);
  const isOffline = !isOnline || isLost;
  return (
    <div role="status" className={isOffline ? styles.notice : undefined}>
      {isOffline && (
        <>
          <strong>{say("offline")}</strong> <span>{say("offlineHint")}</span>
        </>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
