import type { ClientMessage } from "@portico/protocol/schemas";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import type { ConversationLog } from "../live/conversation-log.ts";
import { useLog, useMessenger } from "../live/use-messenger.ts";
import { MESSENGER } from "../words.ts";
import { DayLine, NewLine } from "./log-lines.tsx";
import { type LogRow, rowsOf } from "./log-rows.ts";
import styles from "./message-log.module.css";
import { MessageRow } from "./message-row.tsx";
import { OutgoingRow } from "./outgoing-row.tsx";

/** Earlier messages are read when so many pixels are left above. */
const READ_AHEAD_PX = 800;
/** So near to its end the log follows what comes. */
const AT_END_PX = 60;
const SHOWN_MS = 1_600;

/** A conversation's messages; the newest are in view until the member scrolls up, and then nothing moves what is read. */
export function MessageLog({ log, readSeq }: { log: ConversationLog; readSeq: number | null }) {
  const say = useWords(MESSENGER);
  const sayShared = useWords(SHARED);
  const { me } = useMessenger();
  const { messages, outgoing, hasEarlier, reading, error } = useLog(log);
  const rows = useMemo(
    () => rowsOf({ messages, outgoing, hasEarlier, readSeq, myId: me.userId }),
    [messages, outgoing, hasEarlier, readSeq, me.userId],
  );
  const byId = useMemo(() => new Map(messages.map((message) => [message.messageId, message])), [messages]);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const { isAtEnd, isPrepending, onScroll, toEnd } = useFollowing({ scroller, content, list }, rows, () => {
    if (hasEarlier && reading === "idle") void log.readEarlier();
  });
  const showParent = useShowParent({ scroller, list }, rows);
  const onRetry = useCallback((id: string) => log.retry(id), [log]);
  const onGiveUp = useCallback((id: string) => log.giveUp(id), [log]);

  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        role="log"
        aria-label={say("messages")}
        aria-busy={reading === "first"}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className={styles.scroller}
        onScroll={onScroll}
      >
        <div className={styles.spacer} />
        <div ref={content}>
          {reading === "failed" && (
            <div className={styles.failure}>
              <ErrorNotice error={error} onRetry={() => (messages.length > 0 ? log.readEarlier() : log.readFirst())} />
            </div>
          )}
          {reading === "first" ? (
            <Skeleton label={sayShared("loading")} />
          ) : (
            <Virtualizer ref={list} scrollRef={scroller} shift={isPrepending} bufferSize={600}>
              {rows.map((row) => (
                <Row
                  key={row.key}
                  row={row}
                  byId={byId}
                  myId={me.userId}
                  onShowParent={showParent}
                  onRetry={onRetry}
                  onGiveUp={onGiveUp}
                />
              ))}
            </Virtualizer>
          )}
        </div>
      </div>
      {!isAtEnd && reading !== "first" && (
        <button type="button" className={styles.toEnd} onClick={toEnd}>
          {say("toNewest")}
        </button>
      )}
    </div>
  );
}

interface RowParts {
  byId: ReadonlyMap<number, ClientMessage>;
  myId: string;
  onShowParent: (messageId: number) => void;
  onRetry: (clientMessageId: string) => void;
  onGiveUp: (clientMessageId: string) => void;
}

function Row({ row, byId, myId, onShowParent, onRetry, onGiveUp }: RowParts & { row: LogRow }) {
  const say = useWords(MESSENGER);
  switch (row.kind) {
    case "beginning":
      return <p className={styles.beginning}>{byId.size === 0 ? say("nothingYet") : say("beginning")}</p>;
    case "day":
      return <DayLine at={row.at} />;
    case "new":
      return <NewLine />;
    case "outgoing":
      return <OutgoingRow outgoing={row.outgoing} onRetry={onRetry} onGiveUp={onGiveUp} />;
    case "message": {
      const { parentMessageId } = row.message;
      const parent = parentMessageId === null ? undefined : (byId.get(parentMessageId) ?? null);
      return (
        <MessageRow
          message={row.message}
          isFirst={row.isFirst}
          parent={parent}
          myId={myId}
          onShowParent={onShowParent}
        />
      );
    }
  }
}

interface LogElements {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
}

/** Keeps the end in view while the member is there, and the place they read while they are not. */
function useFollowing({ scroller, content, list }: LogElements, rows: readonly LogRow[], onNearBeginning: () => void) {
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const seen = useRef({ scrollTop: 0, scrollHeight: 0 });
  const firstKey = useRef<string | undefined>(undefined);
  const first = rows.find(({ kind }) => kind === "message")?.key;
  const isPrepending = firstKey.current !== undefined && firstKey.current !== first;
  useLayoutEffect(() => {
    firstKey.current = first;
    if (follows.current && rows.length > 0) list.current?.scrollToIndex(rows.length - 1, { align: "end" });
  }, [rows, first, list]);

  // Pictures and cards grow after they were drawn.
  useEffect(() => {
    const element = scroller.current;
    if (element === null || content.current === null) return;
    const observer = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [scroller, content]);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const isNear = scrollHeight - scrollTop - clientHeight < AT_END_PX;
    // A card that grows moves the end away too; only who scrolls up has left it.
    const hasLeft = scrollHeight === seen.current.scrollHeight && scrollTop < seen.current.scrollTop;
    seen.current = { scrollTop, scrollHeight };
    if (isNear) follows.current = true;
    else if (hasLeft) follows.current = false;
    setAtEnd(follows.current);
    if (element.scrollTop < READ_AHEAD_PX) onNearBeginning();
  };
  const toEnd = () => {
    follows.current = true;
    list.current?.scrollToIndex(rows.length - 1, { align: "end" });
  };
  return { isAtEnd, isPrepending, onScroll, toEnd };
}

/** Scrolls to a message and marks it for a moment. */
function useShowParent(
  { scroller, list }: Pick<LogElements, "scroller" | "list">,
  rows: readonly LogRow[],
): (messageId: number) => void {
  const latest = useRef(rows);
  latest.current = rows;
  return useCallback(
    (messageId) => {
      const index = latest.current.findIndex(({ key }) => key === `m${messageId}`);
      if (index === -1) return;
      list.current?.scrollToIndex(index, { align: "center" });
      requestAnimationFrame(() => {
        const row = scroller.current?.querySelector<HTMLElement>(`[data-message="${messageId}"]`);
        if (!row) return;
        row.dataset.shown = "";
        setTimeout(() => delete row.dataset.shown, SHOWN_MS);
      });
    },
    [scroller, list],
  );
}

function Skeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className={styles.skeleton}>
      {[62, 38, 74, 51].map((width) => (
        <div key={width} className={styles.skeletonRow}>
          <span />
          <span style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}
