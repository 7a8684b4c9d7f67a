/** @jsxImportSource preact */
import type { WidgetApp } from "@portico/protocol/schemas";
import { useState } from "preact/hooks";
import { Composer } from "./composer.tsx";
import type { Conversation } from "./conversation.ts";
import { Header } from "./header.tsx";
import { Log } from "./log.tsx";
import type { Outgoing } from "./outgoing.ts";
import { Rating } from "./rating.tsx";
import type { Snapshot } from "./snapshot.ts";
import { playSound, setWantsSound, wantsSound } from "./sound.ts";
import { Status } from "./status.tsx";
import { useSpeech } from "./widget-context.ts";

/** The whole frame: who answers, what was written, where it stands, and where one writes. */
export function App({
  app,
  conversation,
  snapshot,
  draftKey,
  focusTurn,
  onClose,
}: {
  app: WidgetApp;
  conversation: Conversation;
  snapshot: Snapshot;
  draftKey: string | null;
  focusTurn: number;
  onClose: () => void;
}) {
  const { words } = useSpeech();
  const [hasSound, setSound] = useState(wantsSound);
  const [returned, setReturned] = useState<Outgoing | null>(null);
  const { session, phase } = snapshot;
  const isAway = !(app.isOpen && app.agentsOnline) && session?.status !== "ACTIVE";
  const isRated = session?.status === "CLOSED" && session.rating !== null;
  const isToRate = session?.status === "CLOSED" && session.rating === null;
  return (
    <>
      <Header
        name={app.name}
        isAway={isAway}
        hasSound={hasSound}
        onSound={() => {
          setWantsSound(!hasSound);
          setSound(!hasSound);
          if (!hasSound) void playSound();
        }}
        onClose={onClose}
      />
      <main>
        {phase === "failed" || phase === "refused" ? (
          <Alone text={phase === "failed" ? words.unreachable : words.refused} again={() => conversation.check()} />
        ) : (
          <Log
            conversation={conversation}
            snapshot={snapshot}
            greeting={app.widget.greeting || words.greeting}
            notice={
              isAway && phase === "ready" && session === null ? app.widget.offlineMessage || words.offlineMessage : null
            }
            // Another object each time, also for one that found no room before.
            onPutBack={(failed) => setReturned({ ...failed })}
          >
            {isToRate && (
              <Rating key={session.sessionId} onRate={(rating, comment) => conversation.rate(rating, comment)} />
            )}
            {isRated && <p class="alone">{words.thanks}</p>}
          </Log>
        )}
        <Status snapshot={snapshot} isAway={isAway} />
        {phase === "disabled" ? (
          <p class="alone" role="alert">
            {words.disabled}
          </p>
        ) : (
          <Composer
            draftKey={draftKey}
            focusTurn={focusTurn}
            putBack={returned}
            onPutBack={({ clientMessageId }) => conversation.discard(clientMessageId)}
            onSend={(drafts) => conversation.send(drafts)}
            onTyping={() => conversation.typing()}
          />
        )}
      </main>
    </>
  );
}

/** What is said in place of the conversation, or of the whole frame, which then has a way out here. */
export function Alone({
  text,
  again,
  onClose,
}: {
  text: string;
  again?: (() => void) | undefined;
  onClose?: () => void;
}) {
  const { words } = useSpeech();
  return (
    <div class="alone" role="alert">
      {text}
      {again !== undefined && (
        <button type="button" onClick={again}>
          {words.again}
        </button>
      )}
      {onClose !== undefined && (
        <button type="button" onClick={onClose}>
          {words.close}
        </button>
      )}
    </div>
  );
}
