/** @jsxImportSource preact */
import type { WidgetMessage } from "@portico/protocol/schemas";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Bubble, Content, Text } from "./bubble.tsx";
import type { Conversation } from "./conversation.ts";
import { sameDay } from "./format.ts";
import styles from "./log.module.css";
import { OutgoingBubble } from "./outgoing-bubble.tsx";
import type { Snapshot } from "./snapshot.ts";
import { useSpeech } from "./widget-context.ts";

/** How near the end of the log somebody is who reads what comes. */
const NEAR_PX = 80;
/** Messages of one sender that are nearer than that stand together. */
const TOGETHER_MS = 5 * 60_000;

/** What was written, newest at the end, which stays in sight for whoever is there. */
export function Log({
  conversation,
  snapshot,
  greeting,
  notice,
  children,
}: {
  conversation: Conversation;
  snapshot: Snapshot;
  greeting: string;
  /** What is to be known while nobody answers. */
  notice: string | null;
  children?: ComponentChildren;
}) {
  const { words, format } = useSpeech();
  const { messages, outgoing, hasEarlier, phase } = snapshot;
  const log = useFollowing(messages[0]?.seq ?? 0, outgoing.length);
  const lastOwnSeq = messages.findLast(({ senderType }) => senderType === "VISITOR")?.seq;
  return (
    <div
      ref={log}
      class={styles.log}
      role="log"
      aria-label={words.messages}
      aria-busy={phase === "loading"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
      tabIndex={0}
    >
      <div class={styles.lines}>
        {phase === "loading" && <Skeleton />}
        {hasEarlier && <Earlier onRead={() => conversation.readEarlier()} />}
        {!hasEarlier && phase !== "loading" && (
          <Bubble isOwn={false} sender="" isFirst={false}>
            <Text text={greeting} />
          </Bubble>
        )}
        {messages.map((message, index) => {
          const before = messages[index - 1];
          return (
            <Line key={message.seq} message={message} before={before}>
              {message.seq === lastOwnSeq && message.seq <= snapshot.agentReadSeq
                ? `${format.time(message.createdAt)} · ${words.read}`
                : isLastOfGroup(message, messages[index + 1])
                  ? format.time(message.createdAt)
                  : undefined}
            </Line>
          );
        })}
        {children}
        {outgoing.map((each, index) => (
          <OutgoingBubble
            key={each.clientMessageId}
            outgoing={each}
            isFirst={index === 0 && messages.at(-1)?.senderType !== "VISITOR"}
            onRetry={() => conversation.retry(each.clientMessageId)}
            onDiscard={() => conversation.discard(each.clientMessageId)}
          />
        ))}
        {notice !== null && <p class={styles.notice}>{notice}</p>}
      </div>
    </div>
  );
}

/** A message, below the day that it begins. */
function Line({
  message,
  before,
  children,
}: {
  message: WidgetMessage;
  before: WidgetMessage | undefined;
  children: ComponentChildren;
}) {
  const { words, format } = useSpeech();
  const { senderType, agentName, createdAt, msgType, content } = message;
  const isNewDay = before === undefined || !sameDay(before.createdAt, createdAt);
  return (
    <>
      {isNewDay && <p class={styles.day}>{format.day(createdAt)}</p>}
      {senderType === "SYSTEM" && typeof content === "string" ? (
        <p class={styles.notice}>{content}</p>
      ) : (
        <Bubble
          isOwn={senderType === "VISITOR"}
          sender={senderType === "VISITOR" ? words.you : (agentName ?? words.agent)}
          isFirst={isNewDay || isLastOfGroup(before, message)}
          foot={children}
        >
          <Content msgType={msgType} content={content} />
        </Bubble>
      )}
    </>
  );
}

/** Whether the next message does not belong to what this one's sender has just said. */
function isLastOfGroup(message: WidgetMessage | undefined, next: WidgetMessage | undefined): boolean {
  if (message === undefined || next === undefined) return true;
  const isSame = message.senderType === next.senderType && message.agentId === next.agentId;
  return !isSame || next.createdAt - message.createdAt > TOGETHER_MS;
}

function Earlier({ onRead }: { onRead: () => Promise<void> }) {
  const { words } = useSpeech();
  const [isReading, setReading] = useState(false);
  return (
    <button
      type="button"
      class={styles.earlier}
      disabled={isReading}
      onClick={() => {
        setReading(true);
        // What could not be read can be asked for again.
        void onRead()
          .catch(() => {})
          .finally(() => setReading(false));
      }}
    >
      {words.earlier}
    </button>
  );
}

function Skeleton() {
  return (
    <div class={styles.skeleton} aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

/**
 * Keeps the end of the log in sight while somebody is there, or has written, and else what they look at, also when more comes
 * above it.
 */
function useFollowing(firstSeq: number, outgoing: number) {
  const log = useRef<HTMLDivElement>(null);
  const place = useRef({ top: 0, fromEnd: 0, isFollowing: true });
  const shown = useRef({ firstSeq, outgoing });
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return undefined;
    const follow = () => {
      if (place.current.isFollowing) element.scrollTop = element.scrollHeight;
    };
    const note = () => {
      const { scrollTop: top, scrollHeight, clientHeight } = element;
      const fromEnd = scrollHeight - top - clientHeight;
      // What grows below is no sign that somebody has gone away; only they themselves go up.
      const isFollowing = fromEnd < NEAR_PX || (place.current.isFollowing && top >= place.current.top);
      place.current = { top, fromEnd, isFollowing };
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
    if (firstSeq < shown.current.firstSeq) {
      element.scrollTop = element.scrollHeight - element.clientHeight - place.current.fromEnd;
    }
    if (outgoing > shown.current.outgoing) {
      place.current.isFollowing = true;
      element.scrollTop = element.scrollHeight;
    }
    shown.current = { firstSeq, outgoing };
  }, [firstSeq, outgoing]);
  return log;
}
