import { Button } from "../../shared/ui/button.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { type Conversation, nameOf } from "../live/conversation.ts";
import { DESK } from "../words.ts";
import styles from "./open-conversation.module.css";

/** Stands where one writes, in a conversation that is not the agent's: whose it is, and what can be done. */
export function StateBar({
  conversation,
  isAccepting,
  onAccept,
}: {
  conversation: Conversation;
  isAccepting: boolean;
  onAccept: () => void;
}) {
  const say = useWords(DESK);
  const { session, visitor } = conversation;
  if (session.status === "QUEUED") {
    return (
      <div className={styles.bar}>
        <span className={styles.words}>{say("isWaiting", { name: nameOf(visitor) })}</span>
        <Button kind="primary" isBusy={isAccepting} onClick={onAccept}>
          {say("accept")}
        </Button>
      </div>
    );
  }
  if (session.status === "CLOSED") return <Closed conversation={conversation} />;
  return (
    <div className={styles.bar}>
      <span className={styles.words}>{say("ofOther", { name: session.agentName ?? say("somebody") })}</span>
    </div>
  );
}

function Closed({ conversation: { session, visitor } }: { conversation: Conversation }) {
  const say = useWords(DESK);
  const format = useFormat();
  const { closedAt, closedBy, agentId, agentName, rating } = session;
  const time = closedAt === null ? "" : format.dateTime(closedAt);
  const name = closedBy === agentId ? agentName : null;
  return (
    <div className={styles.bar}>
      <span className={styles.words}>
        {closedBy === visitor.visitorId
          ? say("closedByVisitor", { time })
          : name === null
            ? say("closedAt", { time })
            : say("closedBy", { name, time })}
      </span>
      {rating !== null && <span>{say("rated", { rating })}</span>}
    </div>
  );
}
