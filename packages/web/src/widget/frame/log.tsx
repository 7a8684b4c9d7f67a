/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Boundary } from "./boundary.tsx";
import { Bubble, Text } from "./bubble.tsx";
import type { Conversation } from "./conversation.ts";
import styles from "./log.module.css";
import { LogLine } from "./log-line.tsx";
import type { Outgoing } from "./outgoing.ts";
import { OutgoingBubble } from "./outgoing-bubble.tsx";
import type { Snapshot } from "./snapshot.ts";
import { useFollowing } from "./use-following.ts";
import { useSpeech } from "./widget-context.ts";

/** What was written, newest at the end, which stays in sight for whoever is there. */
export function Log({
  conversation,
  snapshot,
  greeting,
  notice,
  onPutBack,
  children,
}: {
  conversation: Conversation;
  snapshot: Snapshot;
  greeting: string;
  /** What is to be known while nobody answers. */
  notice: string | null;
  /** A message that failed is to be in the field again. */
  onPutBack: (failed: Outgoing) => void;
  children?: ComponentChildren;
}) {
  const { words } = useSpeech();
  const { messages, outgoing, hasEarlier, hasLater, phase } = snapshot;
  const log = useFollowing({
    firstSeq: messages[0]?.seq ?? 0,
    middleSeq: messages[Math.floor(messages.length / 2)]?.seq ?? 0,
    outgoing: outgoing.length,
  });
  const lastOwnSeq = messages.findLast(({ senderType }) => senderType === "VISITOR")?.seq;
  const today = new Date().toDateString();
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
        {hasEarlier && <More words={words.earlier} onRead={() => conversation.readEarlier()} />}
        {!hasEarlier && phase !== "loading" && (
          <Bubble isOwn={false} sender="" isFirst={false}>
            <Text text={greeting} />
          </Bubble>
        )}
        {messages.map((message, index) => (
          <LogLine
            key={message.seq}
            message={message}
            before={messages[index - 1]}
            next={messages[index + 1]}
            isRead={message.seq === lastOwnSeq && message.seq <= snapshot.agentReadSeq}
            today={today}
          />
        ))}
        {hasLater && <More words={words.newest} onRead={() => conversation.readNewest()} />}
        {!hasLater && children}
        {outgoing.map((each, index) => (
          <Boundary key={each.clientMessageId} instead={words.brokenMessage}>
            <OutgoingBubble
              outgoing={each}
              isFirst={index === 0 && messages.at(-1)?.senderType !== "VISITOR"}
              onRetry={() => conversation.retry(each.clientMessageId)}
              onPutBack={() => onPutBack(each)}
              onDiscard={() => conversation.discard(each.clientMessageId)}
            />
          </Boundary>
        ))}
        {notice !== null && <p class={styles.notice}>{notice}</p>}
      </div>
    </div>
  );
}

/** A button that reads more of the conversation. */
function More({ words, onRead }: { words: string; onRead: () => Promise<void> }) {
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
      {words}
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
