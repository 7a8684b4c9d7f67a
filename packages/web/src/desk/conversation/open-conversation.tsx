import { useMutation } from "@tanstack/react-query";
import { lazy, useEffect, useMemo, useRef, useState } from "react";
import { useAttachments } from "../../shared/talk/composer/use-attachments.ts";
import type { ComposerHandle } from "../../shared/talk/composer/use-put-back.ts";
import { unreadOf } from "../../shared/talk/live/unread-count.ts";
import pane from "../../shared/talk/pane/pane.module.css";
import { useSeen } from "../../shared/talk/pane/use-seen.ts";
import { TALK } from "../../shared/talk/words.ts";
import { DialogPart } from "../../shared/ui/dialog-part.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DeskComposer } from "../composer/desk-composer.tsx";
import { useShortcut } from "../keyboard/use-shortcut.ts";
import { type Conversation, nameOf } from "../live/conversation.ts";
import { useDesk, useDeskNow, useReadNotes } from "../live/use-desk.ts";
import { DeskLog } from "../log/desk-log.tsx";
import { usePlace } from "../shell/desk-path.ts";
import { VisitorPanel } from "../visitor/visitor-panel.tsx";
import { DESK } from "../words.ts";
import { AcceptFailure } from "./accept-failure.tsx";
import { ConversationHeader } from "./conversation-header.tsx";
import styles from "./open-conversation.module.css";
import { StateBar } from "./state-bar.tsx";

const CloseDialog = lazy(async () => ({ default: (await import("./close-dialog.tsx")).CloseDialog }));
const TransferDialog = lazy(async () => ({ default: (await import("./transfer-dialog.tsx")).TransferDialog }));

/** A conversation that is open: what was said in it, what the agent can do, and who the visitor is. */
export function OpenConversation({ conversation }: { conversation: Conversation }) {
  const say = useWords(DESK);
  const sayTalk = useWords(TALK);
  const desk = useDesk();
  const { typing } = useDeskNow();
  const { id, visitor, session, lastSeq, unread } = conversation;
  const isOwn = desk.isOwn(conversation);
  const isQueued = session.status === "QUEUED";
  const canChange = isOwn || isQueued;
  const log = useMemo(() => desk.log(id), [desk, id]);
  const place = usePlace();
  // The line before what is new stays where it was when the conversation was opened.
  const [readSeq] = useState(() => (isOwn && unreadOf(unread) > 0 ? unread.readSeq : null));
  const [isAtEnd, setAtEnd] = useState(true);
  const composer = useRef<ComposerHandle>(null);
  const [showsDetails, setShowsDetails] = useState(false);
  const [dialog, setDialog] = useState<"close" | "transfer" | null>(null);
  const { attachments, dropHandlers, isOver } = useAttachments(desk.drafts.replies.of(visitor.visitorId).files);
  const accept = useMutation({ mutationFn: () => desk.actions.accept(id) });
  useSeen(() => desk.markRead(id), isOwn && isAtEnd, lastSeq);
  useEffect(() => desk.lookAt(id), [desk, id]);
  useEffect(() => {
    if (place !== null) void log.readAround(place);
    // It was left where a message was looked for.
    else if (log.snapshot.hasLater) void log.readNewest();
  }, [log, place]);
  useReadNotes(conversation);
  const tryToAccept = () => {
    if (isQueued && !accept.isPending) accept.mutate();
  };
  useShortcut("accept", tryToAccept);
  useShortcut("transfer", () => canChange && setDialog("transfer"));
  useShortcut("close", () => canChange && setDialog("close"));
  return (
    <div className={styles.both}>
      <div className={pane.open} {...(isOwn ? dropHandlers : {})}>
        <ConversationHeader
          conversation={conversation}
          canChange={canChange}
          showsDetails={showsDetails}
          onDetails={() => setShowsDetails(!showsDetails)}
          onDialog={setDialog}
        />
        <DeskLog
          log={log}
          conversation={conversation}
          readSeq={readSeq}
          unreadCount={isOwn ? unreadOf(unread) : 0}
          place={place}
          composer={isOwn ? composer : null}
          onAtEnd={setAtEnd}
        />
        <p className={styles.typing}>{typing.has(session.sessionId) && say("typing", { name: nameOf(visitor) })}</p>
        {!isOwn && (
          <AcceptFailure
            accepted={accept.data}
            error={accept.error}
            conversation={conversation}
            onRetry={tryToAccept}
          />
        )}
        {isOwn ? (
          <DeskComposer ref={composer} log={log} conversation={conversation} attachments={attachments} />
        ) : (
          <StateBar conversation={conversation} isAccepting={accept.isPending} onAccept={tryToAccept} />
        )}
        {isOwn && isOver && <div className={pane.drop}>{sayTalk("dropHere")}</div>}
      </div>
      <VisitorPanel conversation={conversation} isOpen={showsDetails} onHide={() => setShowsDetails(false)} />
      {dialog !== null && (
        <DialogPart onClose={() => setDialog(null)}>
          {dialog === "close" ? (
            <CloseDialog conversation={conversation} onClose={() => setDialog(null)} />
          ) : (
            <TransferDialog conversation={conversation} onClose={() => setDialog(null)} />
          )}
        </DialogPart>
      )}
    </div>
  );
}
