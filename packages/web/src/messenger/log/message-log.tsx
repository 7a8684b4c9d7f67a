import { useEffect, useMemo, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { ConversationLog } from "../../shared/talk/live/conversation-log.ts";
import { useLog, useMessenger } from "../live/use-messenger.ts";
import { MESSENGER } from "../words.ts";
import { LightboxProvider } from "../../shared/talk/log/lightbox.tsx";
import { LogRowView, type RowContext } from "./log-row-view.tsx";
import { rowsOf } from "./log-rows.ts";
import { LogSkeleton } from "../../shared/talk/log/log-skeleton.tsx";
import styles from "../../shared/talk/log/log-view.module.css";
import { useFollowing } from "../../shared/talk/log/use-following.ts";
import { useShownMessage } from "./use-shown-message.ts";
import { useStagedRows } from "../../shared/talk/log/use-staged-rows.ts";

/** A conversation's messages; the newest are in view until the member scrolls up, and then nothing moves what is read. */
export function MessageLog({
  log,
  readSeq,
  unreadCount,
  onAtEnd,
}: {
  log: ConversationLog;
  /** The line that marks what is new stands before the first message of others after this place; null for no line. */
  readSeq: number | null;
  unreadCount: number;
  /** Told whether the newest messages are in view. */
  onAtEnd: (isAtEnd: boolean) => void;
}) {
  const say = useWords(MESSENGER);
  const { me } = useMessenger();
  const myId = me.userId;
  const { messages, outgoing, hasEarlier, hasLater, reading, error } = useLog(log);
  const all = useMemo(
    () => rowsOf({ messages, outgoing: hasLater ? [] : outgoing, hasEarlier, readSeq, myId }),
    [messages, outgoing, hasEarlier, hasLater, readSeq, myId],
  );
  const { rows, isShift } = useStagedRows(all);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const isIdle = reading === "idle";
  const { isAtEnd, toEnd, handlers } = useFollowing(
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
    const row = rows.slice(top).find((each) => each.kind === "message");
    return row?.message.msgSeq ?? messages.at(-1)?.msgSeq ?? 0;
  });
  useOwnInView(outgoing.at(-1)?.clientMessageId, toEnd);
  const { shownId, show } = useShownMessage(list, rows);
  const context = useMemo<RowContext>(
    () => ({
      byId: new Map(messages.map((message) => [message.messageId, message])),
      me,
      shownId,
      onShowParent: show,
      onRetry: (id) => log.retry(id),
      onGiveUp: (id) => log.giveUp(id),
    }),
    [messages, me, shownId, show, log],
  );
  return (
    <LightboxProvider>
      <div className={styles.frame}>
        {/* Cards have headings below this one. */}
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
                {(row) => <LogRowView key={row.key} row={row} context={context} />}
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
function useWindow(log: ConversationLog, length: number, placeOf: () => number): void {
  useEffect(() => log.show(), [log]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a longer list can be too long
  useEffect(() => log.lookAt(placeOf()), [log, length]);
}

/** What the member sends is brought into view. */
function useOwnInView(newestId: string | undefined, toEnd: () => void): void {
  const known = useRef(newestId);
  useEffect(() => {
    if (newestId !== undefined && newestId !== known.current) toEnd();
    known.current = newestId;
  }, [newestId, toEnd]);
}
