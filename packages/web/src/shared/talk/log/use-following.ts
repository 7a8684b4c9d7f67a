import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { KeyedRow } from "./use-staged-rows.ts";

/** Pages are read when so many pixels are left before the end of what is there. */
const READ_AHEAD_PX = 800;
/** So near to its end the log follows what comes. */
const AT_END_PX = 60;
const UPWARD_KEYS = new Set(["ArrowUp", "PageUp", "Home"]);

/** What the log is made of. */
export interface LogElements {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
}

/** What the log has, and what reads more of it. */
interface Following {
  rows: readonly KeyedRow[];
  /** Whether the rows end before the newest message. */
  hasLater: boolean;
  onNearBeginning: () => void;
  onNearEnd: () => void;
}

/** Keeps the end in view while the member is there, and the place they read while they are not. */
export function useFollowing(
  { scroller, content }: LogElements,
  { rows, hasLater, onNearBeginning, onNearEnd }: Following,
) {
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const seen = useRef({ scrollTop: 0, scrollHeight: 0 });
  /** Whether the member has begun to scroll up. */
  const goesUp = useRef(false);

  function look(): void {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    // On its way to the end, which is in view in a moment, the log is not near its beginning.
    const above = follows.current ? scrollHeight - clientHeight : scrollTop;
    if (above < READ_AHEAD_PX) onNearBeginning();
    if (scrollHeight - scrollTop - clientHeight < READ_AHEAD_PX) onNearEnd();
  }
  const latest = useRef(look);
  useLayoutEffect(() => {
    latest.current = look;
  });

  // The list's own way to an index goes on for a while, and would take back who scrolls up meanwhile.
  const keepEnd = useCallback(() => {
    const element = scroller.current;
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight;
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows move the end
  useLayoutEffect(keepEnd, [keepEnd, rows]);

  // A page may be shorter than the view, and then nobody can scroll to ask for the next.
  useEffect(() => {
    if (rows.length === 0) return;
    const frame = requestAnimationFrame(() => latest.current());
    return () => cancelAnimationFrame(frame);
  }, [rows]);

  // Rows are as high as they turn out to be when they are drawn; pictures and cards grow after that.
  useEffect(() => {
    if (scroller.current === null || content.current === null) return;
    const observer = new ResizeObserver(keepEnd);
    observer.observe(scroller.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [scroller, content, keepEnd]);

  function onScroll(): void {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const isNear = scrollHeight - scrollTop - clientHeight < AT_END_PX;
    // A card that grows moves the end away too; only who scrolls up has left it.
    const hasMovedUp = scrollTop < seen.current.scrollTop;
    const hasLeft = hasMovedUp && (goesUp.current || (!isNear && scrollHeight === seen.current.scrollHeight));
    seen.current = { scrollTop, scrollHeight };
    if (hasLeft) {
      follows.current = false;
    } else if (isNear && !hasLater) {
      follows.current = true;
      goesUp.current = false;
    }
    setAtEnd(follows.current);
    look();
  }

  const toEnd = useCallback(() => {
    follows.current = true;
    goesUp.current = false;
    setAtEnd(true);
    keepEnd();
  }, [keepEnd]);

  /** Follows the end no more: another place is looked at. */
  const leaveEnd = useCallback(() => {
    follows.current = false;
    setAtEnd(false);
  }, []);

  return {
    isAtEnd: isAtEnd && !hasLater,
    toEnd,
    leaveEnd,
    handlers: {
      onScroll,
      onWheel: ({ deltaY }: { deltaY: number }) => {
        if (deltaY !== 0) goesUp.current = deltaY < 0;
      },
      onTouchMove: () => {
        goesUp.current = true;
      },
      onKeyDown: ({ key }: { key: string }) => {
        if (UPWARD_KEYS.has(key)) goesUp.current = true;
      },
    },
  };
}
