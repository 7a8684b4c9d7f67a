import type { Conversation as ConversationState } from "@portico/protocol/schemas";
import { lazy, useMemo, useRef, useState } from "react";
import { useAttachments } from "../../shared/talk/composer/use-attachments.ts";
import type { ComposerHandle } from "../../shared/talk/composer/use-put-back.ts";
import { BackButton } from "../../shared/talk/pane/back-button.tsx";
import styles from "../../shared/talk/pane/pane.module.css";
import { useSeen } from "../../shared/talk/pane/use-seen.ts";
import { TALK } from "../../shared/talk/words.ts";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { DialogPart } from "../../shared/ui/dialog-part.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { useWords } from "../../shared/words/words.ts";
import { Composer } from "../composer/composer.tsx";
import { avatarId } from "../conversations/avatar-id.ts";
import { useConversations, useMessenger } from "../live/use-messenger.ts";
import { MessageLog } from "../log/message-log.tsx";
import { MESSENGER } from "../words.ts";
import { goTo } from "./use-path.ts";

const BotsDialog = lazy(async () => ({ default: (await import("../bots/bots-dialog.tsx")).BotsDialog }));

/** The conversation that is open, or the word that none is. */
export function Conversation({ conversationId }: { conversationId: string | null }) {
  const say = useWords(MESSENGER);
  const { conversations } = useConversations();
  const [showsBots, setShowsBots] = useState(false);
  const conversation = conversations?.find((each) => each.conversationId === conversationId);
  const isUnknown = conversationId !== null && conversations !== null && conversation === undefined;
  return (
    <section className={styles.pane}>
      {conversation !== undefined ? (
        <Open conversation={conversation} onBots={() => setShowsBots(true)} />
      ) : (
        <>
          <header className={styles.header}>
            {/* A phone shows the one or the other, and a page has one heading. */}
            {conversationId !== null && <h1 className="visually-hidden">{say("area")}</h1>}
            {conversationId !== null && <BackButton label={say("back")} onClick={() => goTo(null)} />}
            <span className={styles.name} />
            <BotsButton onClick={() => setShowsBots(true)} />
          </header>
          {(isUnknown || (conversationId === null && conversations !== null)) && (
            <div className={styles.none}>
              <EmptyState
                title={say(isUnknown ? "unknownConversation" : "chooseConversation")}
                hint={say("chooseConversationHint")}
              />
            </div>
          )}
        </>
      )}
      {showsBots && (
        <DialogPart onClose={() => setShowsBots(false)}>
          <BotsDialog conversation={conversation ?? null} onClose={() => setShowsBots(false)} />
        </DialogPart>
      )}
    </section>
  );
}

function Open({ conversation, onBots }: { conversation: ConversationState; onBots: () => void }) {
  const say = useWords(MESSENGER);
  const sayTalk = useWords(TALK);
  const messenger = useMessenger();
  const { conversationId, name, chatType, lastSeq, unreadCount } = conversation;
  const log = useMemo(() => messenger.log(conversationId), [messenger, conversationId]);
  // The line before what is new stays where it was when the conversation was opened.
  const [readSeq] = useState(() => (unreadCount > 0 ? conversation.readSeq : null));
  const [isAtEnd, setAtEnd] = useState(true);
  const composer = useRef<ComposerHandle>(null);
  const { attachments, dropHandlers, isOver } = useAttachments(messenger.drafts.of(conversationId).files);
  useSeen(() => messenger.markRead(conversationId), isAtEnd, lastSeq);
  return (
    <div className={styles.open} {...dropHandlers}>
      <header className={styles.header}>
        <BackButton label={say("back")} onClick={() => goTo(null)} />
        <Avatar id={avatarId(conversationId)} name={name} size={32} isBot={chatType === "user"} />
        <h1 className={styles.name} dir="auto">
          {name}
        </h1>
        <BotsButton onClick={onBots} />
      </header>
      <MessageLog log={log} readSeq={readSeq} unreadCount={unreadCount} composer={composer} onAtEnd={setAtEnd} />
      <Composer ref={composer} log={log} conversationId={conversationId} name={name} attachments={attachments} />
      {isOver && <div className={styles.drop}>{sayTalk("dropHere")}</div>}
    </div>
  );
}

function BotsButton({ onClick }: { onClick: () => void }) {
  const say = useWords(MESSENGER);
  return (
    <button type="button" className={styles.tool} onClick={onClick}>
      {say("bots")}
    </button>
  );
}
