import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { LogRow } from "./log-rows.ts";

/** So long a message stays marked. */
const SHOWN_MS = 1_600;

/** Scrolls to a message and marks it for a moment. */
export function useShownMessage(
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly LogRow[],
): { shownId: number | null; show: (messageId: number) => void } {
  const [shownId, setShownId] = useState<number | null>(null);
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  }, [rows]);
  useEffect(() => {
    if (shownId === null) return;
    const timer = setTimeout(() => setShownId(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shownId]);
  const show = useCallback(
    (messageId: number) => {
      const index = latest.current.findIndex((row) => row.kind === "message" && row.message.messageId === messageId);
      if (index === -1) return;
      list.current?.scrollToIndex(index, { align: "center" });
      setShownId(messageId);
    },
    [list],
  );
  return { shownId, show };
}
