import type { PastSession } from "@portico/protocol/schemas";
import { useQuery } from "@tanstack/react-query";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { type Conversation, conversationId } from "../live/conversation.ts";
import { deskApi } from "../live/desk-api.ts";
import { goTo } from "../shell/desk-path.ts";
import { DESK } from "../words.ts";
import { Stars } from "./stars.tsx";
import styles from "./visitor-panel.module.css";

/** The visitor's other conversations, with how they were rated. */
export function History({ conversation }: { conversation: Conversation }) {
  const say = useWords(DESK);
  const { appId, session } = conversation;
  const { visitorId } = conversation.visitor;
  const { data, error, refetch } = useQuery({
    // A session that ends, or is rated, changes the history.
    queryKey: ["visitor", appId, visitorId, session.sessionId, session.status, session.rating],
    queryFn: ({ signal }) => deskApi.getVisitor({ params: { appId, visitorId } }, { signal }),
    staleTime: 60_000,
  });
  const others = data?.sessions.filter(({ sessionId }) => sessionId !== session.sessionId);
  return (
    <div className={styles.part}>
      <h3>{say("history")}</h3>
      {error !== null && <ErrorNotice error={error} onRetry={() => refetch()} />}
      {others?.length === 0 && <p className={styles.quiet}>{say("noHistory")}</p>}
      {others !== undefined && others.length > 0 && (
        <ul className={styles.entries}>
          {others.map((past) => (
            <Past key={past.sessionId} appId={appId} past={past} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Past({ appId, past }: { appId: string; past: PastSession }) {
  const say = useWords(DESK);
  const format = useFormat();
  const { sessionId, createdAt, agentName, subject, rating, ratingComment, closeReason } = past;
  return (
    <li className={styles.past}>
      <button type="button" onClick={() => goTo(conversationId(appId, sessionId))}>
        {format.date(createdAt)}, {format.time(createdAt)}
      </button>
      {rating !== null && <Stars rating={rating} />}
      <span className={styles.quiet} dir="auto">
        {[agentName ?? say("nobodyAnswered"), subject, closeReason].filter(Boolean).join(" · ")}
      </span>
      {ratingComment !== null && ratingComment !== "" && (
        <q className={styles.comment} dir="auto">
          {ratingComment}
        </q>
      )}
    </li>
  );
}
