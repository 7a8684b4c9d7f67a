import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** How near the end of the log somebody is who reads what comes. */
const NEAR_PX = 80;

/** What the log shows. */
interface Shown {
  /** The first message, and one that stays when some at either end come or go; 0 for none. */
  firstSeq: number;
  middleSeq: number;
  /** How many of the visitor's messages are on their way. */
  outgoing: number;
}

/**
 * Keeps the end of the log in sight while somebody is there, or has written, and else what they look at, also when messages
 * come or go above it.
 */
export function useFollowing({ firstSeq, middleSeq, outgoing }: Shown): RefObject<HTMLDivElement | null> {
  const log = useRef<HTMLDivElement>(null);
  const place = useRef({ top: 0, isFollowing: true });
  const shown = useRef({ firstSeq, outgoing, anchor: 0, anchorTop: 0 });
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return undefined;
    const follow = () => {
      if (place.current.isFollowing) element.scrollTop = element.scrollHeight;
      shown.current.anchorTop = topOf(element, shown.current.anchor) ?? 0;
    };
    const note = () => {
      const { scrollTop: top, scrollHeight, clientHeight } = element;
      // What grows below is no sign that somebody has gone away; only they themselves go up.
      const isNear = scrollHeight - top - clientHeight < NEAR_PX;
      place.current = { top, isFollowing: isNear || (place.current.isFollowing && top >= place.current.top) };
    };
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    element.addEventListener("scroll", note, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", note);
    };
  }, []);
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return;
    const { anchor, anchorTop } = shown.current;
    const top = topOf(element, anchor);
    const hasMoved = firstSeq !== shown.current.firstSeq;
    // Other messages altogether are the newest ones.
    if (outgoing > shown.current.outgoing || (hasMoved && top === null)) {
      place.current.isFollowing = true;
      element.scrollTop = element.scrollHeight;
    } else if (hasMoved && top !== null && !place.current.isFollowing) {
      element.scrollTop += top - anchorTop;
    }
    shown.current = { firstSeq, outgoing, anchor: middleSeq, anchorTop: topOf(element, middleSeq) ?? 0 };
  }, [firstSeq, middleSeq, outgoing]);
  return log;
}

/** How far down in the log a message is; null when it is not there. */
function topOf(log: HTMLElement, seq: number): number | null {
  return log.querySelector<HTMLElement>(`[data-seq="${seq}"]`)?.offsetTop ?? null;
}
