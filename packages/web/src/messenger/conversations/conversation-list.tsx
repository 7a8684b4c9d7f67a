import { SearchOutlined } from "@ant-design/icons-svg";
import type { Conversation } from "@portico/protocol/schemas";
import { type MouseEvent, memo, type UIEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import styles from "../../shared/talk/list/conversation-list.module.css";
import { LogSkeleton } from "../../shared/talk/log/log-skeleton.tsx";
import { TALK } from "../../shared/talk/words.ts";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { dayOf, useFormat, useNow } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useConversations, useMessenger } from "../live/use-messenger.ts";
import { goTo, pathOf } from "../shell/use-path.ts";
import { MESSENGER } from "../words.ts";
import { avatarId } from "./avatar-id.ts";
import { LastMessage } from "./last-message.tsx";

/** More than this is not counted for the person. */
const MAX_SHOWN = 99;
/** So many are drawn, and as many more whenever the person gets near their end. */
const DRAWN_AT_ONCE = 200;
const NEAR_END_PX = 1_000;
/** A page that stays open over midnight says so within this time. */
const RENEWED_MS = 60_000;

/** The member's conversations, the one in which something happened last on top. */
export function ConversationList({ openId }: { openId: string | null }) {
  const say = useWords(MESSENGER);
  const { me, refresh } = useMessenger();
  const { conversations, error } = useConversations();
  const day = dayOf(useNow(RENEWED_MS));
  const [words, setWords] = useState("");
  const [drawn, setDrawn] = useState(DRAWN_AT_ONCE);
  const wanted = useDeferredValue(words.trim().toLowerCase());
  const found = useMemo(
    () => conversations?.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? [],
    [conversations, wanted],
  );
  function drawMore({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent): void {
    if (drawn < found.length && scrollHeight - scrollTop - clientHeight < NEAR_END_PX) setDrawn(drawn + DRAWN_AT_ONCE);
  }
  return (
    <nav className={styles.pane} aria-label={say("conversations")}>
      {openId === null && <h1 className="visually-hidden">{say("area")}</h1>}
      <label className={styles.search}>
        <Icon of={SearchOutlined} />
        <input
          type="search"
          aria-label={say("searchConversations")}
          placeholder={say("searchConversations")}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </label>
      {error !== null && <ErrorNotice error={error} onRetry={refresh} />}
      {conversations === null && error === null && <LogSkeleton />}
      {conversations?.length === 0 && <EmptyState title={say("noConversations")} hint={say("noConversationsHint")} />}
      {conversations !== null && conversations.length > 0 && found.length === 0 && (
        <p className={styles.none}>{say("noneFound")}</p>
      )}
      <ul
        // One that takes the skeleton's place has moved from nowhere.
        key={conversations === null ? "coming" : "there"}
        className={styles.list}
        aria-label={say("conversations")}
        aria-busy={conversations === null}
        onScroll={drawMore}
      >
        {found.slice(0, drawn).map((conversation) => (
          <Item
            key={conversation.conversationId}
            conversation={conversation}
            isOpen={conversation.conversationId === openId}
            myId={me.userId}
            day={day}
          />
        ))}
      </ul>
    </nav>
  );
}

const Item = memo(function Item({
  conversation,
  isOpen,
  myId,
  day,
}: {
  conversation: Conversation;
  isOpen: boolean;
  myId: string;
  /** The day that it is. */
  day: number;
}) {
  const sayTalk = useWords(TALK);
  const format = useFormat();
  const { conversationId, chatType, name, lastMessage, unreadCount } = conversation;
  const at = lastMessage?.createTime;
  const link = useRef<HTMLAnchorElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The way back from a conversation on a phone took the focus with it.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) link.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <li className={styles.item} data-open={isOpen || undefined} data-unread={unreadCount > 0 || undefined}>
      <Avatar id={avatarId(conversationId)} name={name} size={40} isBot={chatType === "user"} />
      <div className={styles.words}>
        <div className={styles.top}>
          <a
            ref={link}
            className={styles.link}
            href={pathOf(conversationId)}
            aria-current={isOpen ? "page" : undefined}
            dir="auto"
            onClick={(event) => openHere(event, conversationId)}
          >
            {name}
          </a>
          {at !== undefined && (
            <time className={styles.time} dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
              {format.short(at, day)}
            </time>
          )}
        </div>
        <div className={styles.bottom}>
          <span className={styles.last} dir="auto">
            <LastMessage message={lastMessage} myId={myId} isGroup={chatType === "group"} />
          </span>
          {unreadCount > 0 && (
            <span className={styles.count} title={sayTalk("unread", { count: unreadCount })}>
              {unreadCount > MAX_SHOWN ? `${MAX_SHOWN}+` : unreadCount}
              <span className="visually-hidden"> {sayTalk("unread", { count: unreadCount })}</span>
            </span>
          )}
        </div>
      </div>
    </li>
  );
});

/** Opens a conversation in this page, unless the person asked for another tab. */
function openHere(event: MouseEvent, conversationId: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  goTo(conversationId);
}
