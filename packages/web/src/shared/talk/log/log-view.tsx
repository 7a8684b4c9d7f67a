import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { useWords } from "../../words/words.ts";
import type { ConversationLog, LogSnapshot } from "../live/conversation-log.ts";
import type { LogMessage } from "../live/log-message.ts";
import { TALK } from "../words.ts";
import { LightboxProvider } from "./lightbox.tsx";
import { LogSkeleton } from "./log-skeleton.tsx";
import styles from "./log-view.module.css";
import { useFollowing } from "./use-following.ts";
import { type KeyedRow, useStagedRows } from "./use-staged-rows.ts";

/** A conversation's messages; the newest are in view until the person scrolls up, and then nothing moves what is read. */
export function LogView<M extends LogMessage, Row extends KeyedRow>({
  log,
  snapshot,
  rows: all,
  list,
  seqOf,
  unreadCount,
  place = null,
  onAtEnd,
  onToEnd,
  children,
}: {
  log: ConversationLog<M>;
  snapshot: LogSnapshot<M>;
  rows: readonly Row[];
  list: RefObject<VirtualizerHandle | null>;
  /** The place of a row's message; undefined where a row has none. */
  seqOf: (row: Row) => number | undefined;
  unreadCount: number;
  /** The place of the message that is to be seen first; null for the newest. */
  place?: number | null;
  /** Told whether the newest messages are in view. */
  onAtEnd: (isAtEnd: boolean) => void;
  /** Told that the person wants to see the newest messages. */
  onToEnd?: () => void;
  children: (row: Row) => ReactElement;
}) {
  const say = useWords(TALK);
  const { messages, outgoing, hasEarlier, hasLater, reading, error } = snapshot;
  const { rows, isShift } = useStagedRows(all);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isIdle = reading === "idle";
  const { isAtEnd, toEnd, leaveEnd, handlers } = useFollowing(
    { scroller, content },
    {
      rows,
      hasLater,
      onNearBeginning: () => isIdle && hasEarlier && void log.readEarlier(),
      onNearEnd: () => isIdle && hasLater && void log.readLater(),
    },
  );
  useEffect(() => onAtEnd(isAtEnd), [onAtEnd, isAtEnd]);
  useWindow(log, messages.length, () => {
    const top = list.current?.findItemIndex(list.current.scrollOffset) ?? 0;
    for (const row of rows.slice(top)) {
      const seq = seqOf(row);
      if (seq !== undefined) return seq;
    }
    return messages.at(-1)?.msgSeq ?? 0;
  });
  usePlaceInView(list, place === null ? -1 : rows.findIndex((row) => seqOf(row) === place), place, leaveEnd);
  useOwnInView(outgoing.at(-1)?.clientMessageId, toEnd);
  return (
    <LightboxProvider>
      <div className={styles.frame}>
        {/* What messages hold has headings below this one. */}
        <h2 className="visually-hidden">{say("messages")}</h2>
        <div
          ref={scroller}
          role="log"
          aria-label={say("messages")}
          aria-busy={reading === "first"}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          className={styles.scroller}
          {...handlers}
        >
          <div className={styles.spacer} />
          <div ref={content}>
            {reading === "first" ? (
              <LogSkeleton />
            ) : (
              <Virtualizer ref={list} scrollRef={scroller} shift={isShift} bufferSize={600} data={rows}>
                {children}
              </Virtualizer>
            )}
          </div>
        </div>
        {reading === "failed" && (
          <div className={styles.failure}>
            <ErrorNotice error={error} onRetry={() => log.readAgain()} />
          </div>
        )}
        {!isAtEnd && reading !== "first" && (
          <button
            type="button"
            className={styles.toEnd}
            data-unread={unreadCount > 0 || undefined}
            onClick={() => {
              toEnd();
              onToEnd?.();
              if (hasLater) void log.readNewest();
            }}
          >
            {unreadCount > 0 ? say("toUnread", { count: unreadCount }) : say("toNewest")}
          </button>
        )}
      </div>
    </LightboxProvider>
  );
}

/** Keeps of a long conversation what is near the place that is looked at. */
function useWindow<M extends LogMessage>(log: ConversationLog<M>, length: number, placeOf: () => number): void {
  useEffect(() => log.show(), [log]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a longer list can be too long
  useEffect(() => log.lookAt(placeOf()), [log, length]);
}

/** Brings the message at a place into view once it is there, and leaves the view to the person from then on. */
function usePlaceInView(
  list: RefObject<VirtualizerHandle | null>,
  index: number,
  place: number | null,
  leaveEnd: () => void,
): void {
  const shown = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (place === null) shown.current = null;
    if (index === -1 || place === shown.current) return;
    shown.current = place;
    leaveEnd();
    list.current?.scrollToIndex(index, { align: "center" });
  }, [list, index, place, leaveEnd]);
}

/** What the person sends is brought into view. */
function useOwnInView(newestId: string | undefined, toEnd: () => void): void {
  const known = useRef(newestId);
  useEffect(() => {
    if (newestId !== undefined && newestId !== known.current) toEnd();
    known.current = newestId;
  }, [newestId, toEnd]);
}
