import { useEffect } from "react";

/** Calls `onSeen` while the person looks at the end of the log, and after each change of `lastSeq`. */
export function useSeen(onSeen: () => void, isAtEnd: boolean, lastSeq: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen changes with lastSeq
  useEffect(() => {
    if (!isAtEnd) return;
    const look = () => {
      if (document.visibilityState === "visible") onSeen();
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [isAtEnd, lastSeq]);
}
