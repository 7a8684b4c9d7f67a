import { useMutation } from "@tanstack/react-query";
import { lazy, useMemo, useState } from "react";
import { useAttachments } from "../../shared/talk/composer/use-attachments.ts";
import { unreadOf } from "../../shared/talk/live/unread-count.ts";
import { BackButton } from "../../shared/talk/pane/back-button.tsx";
import pane from "../../shared/talk/pane/pane.module.css";
import { useSeen } from "../../shared/talk/pane/use-seen.ts";
import { TALK } from "../../shared/talk/words.ts";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { DialogPart } from "../../shared/ui/dialog-part.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DeskComposer } from "../composer/desk-composer.tsx";
import { type Conversation, nameOf } from "../live/conversation.ts";
import { useDesk, useDeskNow } from "../live/use-desk.ts";
import { DeskLog } from "../log/desk-log.tsx";
import { goTo } from "../shell/desk-path.ts";
import { VisitorPanel } from "../visitor/visitor-panel.tsx";
import { DESK } from "../words.ts";
import { AcceptFailure } from "./accept-failure.tsx";
import styles from "./open-conversation.module.css";
import { StateBar } from "./state-bar.tsx";

const CloseDialog = lazy(async () => ({ default: (await import("./close-dialog.tsx")).CloseDialog }));

/** A conversation that is open: what was said in it, and what the agent can do. */
export function OpenConversation({ conversation }: { conversation: Conversation }) {
  const say = useWords(DESK);
  const sayTalk = useWords(TALK);
  const desk = useDesk();
  const { apps, typing } = useDeskNow();
  const { id, appId, visitor, session, lastSeq, unread } = conversation;
  const name = nameOf(visitor);
  const isOwn = desk.isOwn(conversation);
  const log = useMemo(() => desk.log(id), [desk, id]);
  // The line before what is new stays where it was when the conversation was opened.
  const [readSeq] = useState(() => (isOwn && unreadOf(unread) > 0 ? unread.readSeq : null));
  const [isAtEnd, setAtEnd] = useState(true);
  const [showsDetails, setShowsDetails] = useState(false);
  const [dialog, setDialog] = useState<"close" | "transfer" | null>(null);
  const { attachments, dropHandlers, isOver } = useAttachments(desk.drafts.of(visitor.visitorId).files);
  const accept = useMutation({ mutationFn: () => desk.actions.accept(id) });
  useSeen(() => desk.markRead(id), isOwn && isAtEnd, lastSeq);
  const canChange = isOwn || session.status === "QUEUED";
  return (
    <div className={styles.both}>
      <div className={pane.open} {...(isOwn ? dropHandlers : {})}>
        <header className={pane.header}>
          <BackButton label={say("back")} onClick={() => goTo(null)} />
          <Avatar id={visitor.visitorId} name={name} size={32} />
          <div className={styles.titles}>
            <h1 className={styles.name} dir="auto">
              {name}
            </h1>
            <span className={styles.app} dir="auto">
              {apps?.find((app) => app.appId === appId)?.name}
            </span>
          </div>
          <span className={styles.details}>
            <Button size="small" aria-expanded={showsDetails} onClick={() => setShowsDetails(!showsDetails)}>
              {say("details")}
            </Button>
          </span>
          {canChange && (
            <Button size="small" onClick={() => setDialog("close")}>
              {say("close")}
            </Button>
          )}
        </header>
        <DeskLog
          log={log}
          conversation={conversation}
          readSeq={readSeq}
          unreadCount={isOwn ? unreadOf(unread) : 0}
          onAtEnd={setAtEnd}
        />
        <p className={styles.typing}>{typing.has(session.sessionId) && say("typing", { name })}</p>
        {accept.isError && <AcceptFailure error={accept.error} conversation={conversation} />}
        {isOwn ? (
          <DeskComposer log={log} conversation={conversation} attachments={attachments} />
        ) : (
          <StateBar
            conversation={conversation}
            isAccepting={accept.isPending}
            onAccept={() => {
              if (!accept.isPending) accept.mutate();
            }}
          />
        )}
        {isOwn && isOver && <div className={pane.drop}>{sayTalk("dropHere")}</div>}
        {dialog === "close" && (
          <DialogPart onClose={() => setDialog(null)}>
            <CloseDialog conversation={conversation} onClose={() => setDialog(null)} />
          </DialogPart>
        )}
      </div>
      <VisitorPanel conversation={conversation} isOpen={showsDetails} onHide={() => setShowsDetails(false)} />
    </div>
  );
}
