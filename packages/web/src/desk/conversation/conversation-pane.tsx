import { ApiRefusedError } from "@portico/protocol/client";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { part } from "../../shared/app/part.tsx";
import { PartBoundary } from "../../shared/app/part-boundary.tsx";
import { LogSkeleton } from "../../shared/talk/log/log-skeleton.tsx";
import { BackButton } from "../../shared/talk/pane/back-button.tsx";
import pane from "../../shared/talk/pane/pane.module.css";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { readConversationId } from "../live/conversation.ts";
import { useConversation, useDesk, useDeskNow } from "../live/use-desk.ts";
import { goTo } from "../shell/desk-path.ts";
import { DESK } from "../words.ts";

/** Loaded after the lists, which need none of it. */
const OpenConversation = part(async () => (await import("./open-conversation.tsx")).OpenConversation);

/** The conversation that is open, or the word that none is. */
export function ConversationPane({ id }: { id: string | null }) {
  const say = useWords(DESK);
  const { actions } = useDesk();
  const { apps } = useDeskNow();
  const conversation = useConversation(id);
  // What cannot be loaded now is told of where it is drawn.
  useEffect(() => void OpenConversation.load().catch(() => {}), []);
  // One that is in no list, such as an earlier one of a visitor.
  const lookUp = useQuery({
    queryKey: ["session", id],
    queryFn: async () => {
      if (id !== null) await actions.read(id);
      return true;
    },
    enabled: id !== null && apps !== null && conversation === undefined && readConversationId(id) !== null,
    staleTime: 0,
  });
  if (conversation !== undefined) {
    return (
      <section className={pane.pane}>
        <PartBoundary
          key={conversation.id}
          instead={(error) => <ErrorNotice error={error} onRetry={() => location.reload()} />}
        >
          <Suspense fallback={<LogSkeleton />}>
            <OpenConversation conversation={conversation} />
          </Suspense>
        </PartBoundary>
      </section>
    );
  }
  const isUnknown = id !== null && (readConversationId(id) === null || isNotFound(lookUp.error));
  const failure = isUnknown ? null : lookUp.error;
  return (
    <section className={pane.pane}>
      {id !== null && (
        <header className={pane.header}>
          {/* A phone shows the one or the other, and a page has one heading. */}
          <h1 className="visually-hidden">{say("area")}</h1>
          <BackButton label={say("back")} onClick={() => goTo(null)} />
        </header>
      )}
      {id !== null && failure !== null && <ErrorNotice error={failure} onRetry={() => lookUp.refetch()} />}
      {id !== null && failure === null && !isUnknown && <LogSkeleton />}
      {apps !== null && apps.length > 0 && (id === null || isUnknown) && (
        <div className={pane.none}>
          <EmptyState
            title={say(isUnknown ? "unknown" : "choose")}
            hint={say(isUnknown ? "unknownHint" : "chooseHint")}
          />
        </div>
      )}
    </section>
  );
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiRefusedError && error.httpStatus === 404;
}
