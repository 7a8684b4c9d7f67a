import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { Conversation } from "../live/conversation.ts";
import type { Accepted } from "../live/desk-actions.ts";
import { DESK } from "../words.ts";
import styles from "./open-conversation.module.css";

/** Says why a conversation was not accepted, for as long as that is so: another agent was faster, or it was closed. */
export function AcceptFailure({
  accepted,
  error,
  conversation: { session },
  onRetry,
}: {
  /** What became of it instead; undefined where that is not known. */
  accepted: Accepted | undefined;
  error: unknown;
  conversation: Conversation;
  onRetry: () => void;
}) {
  const say = useWords(DESK);
  if (session.status === "QUEUED" && error !== null) {
    return (
      <div className={styles.failure}>
        <ErrorNotice error={error} onRetry={onRetry} />
      </div>
    );
  }
  const isTaken = accepted?.kind === "taken" && session.status === "ACTIVE" && session.agentId === accepted.agentId;
  const isClosed = accepted?.kind === "closed" && session.status === "CLOSED";
  if (!isTaken && !isClosed) return null;
  const name = session.agentName ?? say("somebody");
  return (
    <div className={styles.failure}>
      <Notice tone="warning" role="alert" title={isTaken ? say("wasFaster", { name }) : say("wasClosed")}>
        <p>{say(isTaken ? "wasFasterHint" : "wasClosedHint")}</p>
      </Notice>
    </div>
  );
}
