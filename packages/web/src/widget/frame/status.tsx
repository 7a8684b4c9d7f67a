/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks";
import type { Snapshot } from "./snapshot.ts";
import styles from "./status.module.css";
import { useSpeech } from "./widget-context.ts";

/** A connection that is away for less is not worth a word. */
const PATIENCE_MS = 1_500;

/** Where the conversation stands, said to whoever cannot see it, too. */
export function Status({ snapshot, isAway }: { snapshot: Snapshot; isAway: boolean }) {
  const { words } = useSpeech();
  const isOffline = !useOnline();
  const isLost = useLasting(!snapshot.isConnected);
  const line = lineOf();
  return (
    <div role="status" class={styles.status}>
      {isOffline ? <p class={styles.warn}>{words.offline}</p> : isLost && <p class={styles.warn}>{words.connecting}</p>}
      {line !== null && <p>{line}</p>}
    </div>
  );

  function lineOf(): string | null {
    const { session, isAgentTyping } = snapshot;
    if (session === null) return null;
    const agent = session.agentName ?? words.agent;
    if (session.status === "CLOSED") return words.closed;
    if (session.status === "ACTIVE") return isAgentTyping ? words.typing(agent) : words.joined(agent);
    return isAway ? words.queuedAway : words.queued(session.queuePosition);
  }
}

/** Whether the browser has a network. */
function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  return isOnline;
}

/** Whether something has been so for a while. */
function useLasting(isSo: boolean): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isSo) {
      setLasted(false);
      return undefined;
    }
    const timer = setTimeout(() => setLasted(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isSo && hasLasted;
}
