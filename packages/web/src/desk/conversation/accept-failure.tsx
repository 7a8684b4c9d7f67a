import { ApiRefusedError } from "@portico/protocol/client";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { Conversation } from "../live/conversation.ts";
import { DESK } from "../words.ts";
import styles from "./open-conversation.module.css";

/** Says why a conversation was not accepted; most of all, that another agent was faster. */
export function AcceptFailure({ error, conversation }: { error: unknown; conversation: Conversation }) {
  const say = useWords(DESK);
  const isLost = error instanceof ApiRefusedError && error.httpStatus === 409;
  const name = conversation.session.agentName ?? say("somebody");
  return (
    <div className={styles.failure}>
      {isLost ? (
        <Notice tone="warning" role="alert" title={say("wasFaster", { name })}>
          <p>{say("wasFasterHint")}</p>
        </Notice>
      ) : (
        <ErrorNotice error={error} />
      )}
    </div>
  );
}
