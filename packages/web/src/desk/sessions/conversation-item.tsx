import { memo, useEffect, useRef } from "react";
import styles from "../../shared/talk/list/conversation-list.module.css";
import { unreadOf } from "../../shared/talk/live/unread-count.ts";
import { TALK } from "../../shared/talk/words.ts";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { type Conversation, nameOf } from "../live/conversation.ts";
import { goTo } from "../shell/desk-path.ts";
import { Elapsed } from "../shell/elapsed.tsx";
import { DESK } from "../words.ts";
import own from "./conversation-item.module.css";
import { LastEntry } from "./last-entry.tsx";

/** More than this is not counted for the person. */
const MAX_SHOWN = 99;

/** A conversation in a list: who it is with, how long they have waited, what was said last. */
export const ConversationItem = memo(function ConversationItem({
  conversation,
  isOpen,
  isTyping,
  appName,
  myName,
  day,
}: {
  conversation: Conversation;
  isOpen: boolean;
  isTyping: boolean;
  /** Its application, where several are shown; null where that goes without saying. */
  appName: string | null;
  /** The agent's own username. */
  myName: string;
  /** The day that it is. */
  day: number;
}) {
  const say = useWords(DESK);
  const sayTalk = useWords(TALK);
  const { id, visitor, session, last, unread } = conversation;
  const unreadCount = session.status === "QUEUED" ? 0 : unreadOf(unread);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The way back from a conversation on a phone took the focus with it.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <li className={styles.item} data-open={isOpen || undefined} data-unread={unreadCount > 0 || undefined}>
      <Avatar id={visitor.visitorId} name={nameOf(visitor)} size={40} />
      <div className={styles.words}>
        <div className={styles.top}>
          <button
            ref={button}
            type="button"
            className={styles.link}
            aria-current={isOpen ? "page" : undefined}
            dir="auto"
            onClick={() => goTo(id)}
          >
            {nameOf(visitor)}
          </button>
          <Time conversation={conversation} day={day} />
        </div>
        <div className={styles.bottom}>
          <span className={styles.last} dir="auto">
            {isTyping ? (
              <span className={own.typing}>{say("typingShort")}</span>
            ) : (
              <LastEntry entry={last} myName={myName} />
            )}
          </span>
          {unreadCount > 0 && (
            <span className={styles.count} title={sayTalk("unread", { count: unreadCount })}>
              {unreadCount > MAX_SHOWN ? `${MAX_SHOWN}+` : unreadCount}
              <span className="visually-hidden"> {sayTalk("unread", { count: unreadCount })}</span>
            </span>
          )}
        </div>
        {appName !== null && (
          <span className={own.app} dir="auto">
            {appName}
          </span>
        )}
      </div>
    </li>
  );
});

/** How long somebody has waited for an agent, or for an answer; else when something was said last. */
function Time({ conversation: { session, last }, day }: { conversation: Conversation; day: number }) {
  const say = useWords(DESK);
  const format = useFormat();
  if (session.status === "QUEUED") {
    return <Elapsed since={session.queuedAt} className={own.waited} label={(time) => say("waited", { time })} />;
  }
  if (last === null) return null;
  if (last.senderType === "VISITOR" && session.status === "ACTIVE") {
    return <Elapsed since={last.createdAt} className={own.waited} label={(time) => say("unanswered", { time })} />;
  }
  return (
    <time
      className={styles.time}
      dateTime={new Date(last.createdAt).toISOString()}
      title={format.dateTime(last.createdAt)}
    >
      {format.short(last.createdAt, day)}
    </time>
  );
}
