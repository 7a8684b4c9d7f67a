import { CloseOutlined } from "@ant-design/icons-svg";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { type Conversation, nameOf } from "../live/conversation.ts";
import { DESK } from "../words.ts";
import { ExtraFields } from "./extra-fields.tsx";
import { History } from "./history.tsx";
import { PanelNotes } from "./panel-notes.tsx";
import styles from "./visitor-panel.module.css";

/** Who the visitor is. Where the window is narrow, it lies over the conversation when it is asked for. */
export function VisitorPanel({
  conversation,
  isOpen,
  onHide,
}: {
  conversation: Conversation;
  isOpen: boolean;
  onHide: () => void;
}) {
  const say = useWords(DESK);
  const { visitor, session } = conversation;
  return (
    <section className={styles.panel} aria-label={say("visitor")} data-open={isOpen || undefined}>
      <header className={styles.who}>
        <Avatar id={visitor.visitorId} name={nameOf(visitor)} size={44} />
        <h2 className={styles.name} dir="auto">
          {nameOf(visitor)}
          <span className={styles.state} data-online={visitor.online || undefined}>
            {visitor.online || visitor.lastSeenAt === null ? (
              say(visitor.online ? "visitorOnline" : "visitorAway")
            ) : (
              <span>
                {say("visitorSeen")} <TimeAgo at={visitor.lastSeenAt} />
              </span>
            )}
          </span>
        </h2>
        <button type="button" className={styles.hide} aria-label={say("hideDetails")} onClick={onHide}>
          <Icon of={CloseOutlined} />
        </button>
      </header>
      <dl className={styles.fields}>
        <Field name={say("email")} text={visitor.email} />
        <Field name={say("phone")} text={visitor.phone} />
        <Field name={say("customerId")} text={visitor.thirdUserId} isId />
        <Field name={say("subject")} text={session.subject} />
        <Field name={say("source")} text={session.source} />
        <dt>{say("since")}</dt>
        <dd>
          <TimeAgo at={visitor.createdAt} />
        </dd>
      </dl>
      <ExtraFields extra={visitor.extra} />
      <PanelNotes conversation={conversation} />
      <History conversation={conversation} />
    </section>
  );
}

/** Nothing for what was never given. */
function Field({ name, text, isId = false }: { name: string; text: string; isId?: boolean }) {
  if (text === "") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{isId ? <Copyable text={text} label={name} /> : text}</dd>
    </>
  );
}
