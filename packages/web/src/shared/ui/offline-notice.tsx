import type { StreamState } from "@portico/protocol/client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";
import styles from "./offline-notice.module.css";

/** A connection that breaks for less than this is not worth a word. */
const WORTH_MS = 2_000;

/** Says that the page is cut off: the browser is offline, or its stream has been broken for a while. */
export function OfflineNotice({ stream }: { stream: StreamState }) {
  const say = useWords(SHARED);
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isLost = useLost(stream);
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

/** Whether a stream that broke has not come back for a while. Only being live ends it: a try that fails is no connection. */
function useLost(stream: StreamState): boolean {
  const [isBroken, setBroken] = useState(false);
  const [isLost, setLost] = useState(false);
  if (stream === "live" && (isBroken || isLost)) {
    setBroken(false);
    setLost(false);
  }
  if ((stream === "waiting" || stream === "ended") && !isBroken) setBroken(true);
  useEffect(() => {
    if (!isBroken) return;
    const timer = setTimeout(() => setLost(true), WORTH_MS);
    return () => clearTimeout(timer);
  }, [isBroken]);
  return isLost;
}

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
