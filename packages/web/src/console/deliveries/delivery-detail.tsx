import { Button } from "antd";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { QueryView } from "../ui/query-view.tsx";
import { useToast } from "../ui/toasts.tsx";
import { adviceOf, DELIVERY_ADVICE } from "./advice-words.ts";
import { AttemptList } from "./attempt-list.tsx";
import styles from "./deliveries.module.css";
import { type DeliveryDetail as Detail, useDelivery, useRedeliver } from "./delivery-queries.ts";
import { DELIVERIES } from "./words.ts";

/** A delivery opened: what to do about it, its attempts, and what is sent. */
export function DeliveryDetail({ appId, eventId, isOwner }: { appId: string; eventId: string; isOwner: boolean }) {
  const query = useDelivery(appId, eventId);
  return (
    <div className={styles.detail}>
      <QueryView query={query}>
        {(delivery) => (
          <>
            <DetailHead appId={appId} delivery={delivery} isOwner={isOwner} />
            <AttemptList delivery={delivery} />
            <Sent appId={appId} delivery={delivery} />
          </>
        )}
      </QueryView>
    </div>
  );
}

function DetailHead({ appId, delivery, isOwner }: { appId: string; delivery: Detail; isOwner: boolean }) {
  const say = useWords(DELIVERIES);
  const sayAdvice = useWords(DELIVERY_ADVICE);
  const format = useFormat();
  const toast = useToast();
  const redeliver = useRedeliver(appId, delivery.eventId);
  const advice = adviceOf(delivery);
  return (
    <>
      <div className={styles.detailHead}>
        <div>
          <Copyable text={delivery.eventId} label="eventId" />
          <div className={styles.quiet}>{format.dateTime(delivery.createdAt)}</div>
        </div>
        {isOwner && delivery.status !== "DROPPED" && (
          <Button
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate(undefined, { onSuccess: () => toast(say("redelivering")) })}
          >
            {say("redeliver")}
          </Button>
        )}
      </div>
      {redeliver.error !== null && <ErrorNotice error={redeliver.error} />}
      {advice.length > 0 && (
        <div className={styles.advice}>
          <strong>{say("advice")}</strong>
          {advice.map((each) => (
            <span key={each}>{sayAdvice(each)}</span>
          ))}
        </div>
      )}
    </>
  );
}

/** What a receiver gets: headers and body. */
function Sent({ appId, delivery: { eventId, eventType, body } }: { appId: string; delivery: Detail }) {
  const say = useWords(DELIVERIES);
  const fresh = say("freshEachTime");
  const headers = [
    "Content-Type: application/json; charset=UTF-8",
    "User-Agent: Portico-Webhook",
    `X-Open-App-Id: ${appId}`,
    `X-Open-Event-Id: ${eventId}`,
    `X-Open-Event-Type: ${eventType}`,
    `X-Open-Timestamp: ${fresh}`,
    `X-Open-Signature: ${fresh}`,
  ].join("\n");
  return (
    <div className={styles.sent}>
      <CodeBlock title={say("eventBody")} text={JSON.stringify(body, null, 2)} copied={JSON.stringify(body)} />
      <CodeBlock title={say("requestHeaders")} text={headers} />
    </div>
  );
}
