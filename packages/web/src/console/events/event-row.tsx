import { EVENT_SCOPES, type EventType } from "@portico/protocol";
import { Link } from "react-router";
import { Pill, type Tone } from "../../shared/ui/pill.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { BrokenName } from "../ui/broken-name.tsx";
import { EventActions } from "./event-actions.tsx";
import { type Subscription, scopeStateOf, transportOf, useVerify } from "./event-queries.ts";
import styles from "./events-page.module.css";
import { VerifyResult } from "./verify-result.tsx";
import { EVENTS } from "./words.ts";

/** A type of event: what it means, what it needs, where it is sent, and what the owner can do about it. */
export function EventRow({
  app,
  isOwner,
  eventType,
  subscription,
}: {
  app: AppDetail;
  isOwner: boolean;
  eventType: EventType;
  subscription: Subscription | undefined;
}) {
  const say = useWords(EVENTS);
  const verify = useVerify(app.appId, eventType);
  return (
    <tr>
      <td>
        <code className={styles.name}>
          <BrokenName name={eventType} />
        </code>
        <p className={styles.quiet}>{say(eventType)}</p>
      </td>
      <td>
        <ScopeCell app={app} eventType={eventType} />
      </td>
      <td>
        {subscription === undefined ? (
          <Pill>{say("notSubscribed")}</Pill>
        ) : (
          <>
            <SubscriptionCell subscription={subscription} />
            <VerifyResult verify={verify} transport={transportOf(subscription)} />
          </>
        )}
        {isOwner && <EventActions app={app} eventType={eventType} subscription={subscription} verify={verify} />}
      </td>
    </tr>
  );
}

const SCOPE_STATES = {
  GRANTED: { word: "granted", tone: "good" },
  REQUESTED: { word: "requested", tone: "warn" },
  NONE: { word: "missing", tone: "neutral" },
} as const satisfies Record<string, { word: string; tone: Tone }>;

function ScopeCell({ app, eventType }: { app: AppDetail; eventType: EventType }) {
  const say = useWords(EVENTS);
  const state = scopeStateOf(app, eventType);
  if (state === null) return <p className={styles.quiet}>{say("noScope")}</p>;
  const { word, tone } = SCOPE_STATES[state];
  return (
    <>
      <Link to="../scopes" relative="path">
        <code>{EVENT_SCOPES[eventType]}</code>
      </Link>
      <div className={styles.quiet}>
        <Pill tone={tone}>{say(word)}</Pill>
      </div>
    </>
  );
}

function SubscriptionCell({ subscription }: { subscription: Subscription }) {
  const say = useWords(EVENTS);
  const { eventType, status, callbackUrl, failureCount, updatedAt } = subscription;
  const isActive = status === "ACTIVE";
  return (
    <>
      <div className={styles.state}>
        <Pill tone={isActive ? "good" : "warn"}>{say(isActive ? "active" : "inactive")}</Pill>
        <Link to={`../deliveries?eventType=${eventType}`} relative="path">
          {say("seeDeliveries")}
        </Link>
      </div>
      {callbackUrl === null ? (
        <p className={styles.quiet}>
          {say("bySocket")} · <a href="/docs/guide/contract/socket">{say("howToConnect")}</a>
        </p>
      ) : (
        <>
          <p className={styles.quiet}>{say("byWebhook")}</p>
          <code className={styles.address}>{callbackUrl}</code>
        </>
      )}
      <p className={styles.quiet}>
        {failureCount === 0 ? (
          say("noFailures")
        ) : (
          <span className={styles.bad}>{say("failures", { count: failureCount })}</span>
        )}
        {" · "}
        {say("changed")} <TimeAgo at={updatedAt} />
      </p>
    </>
  );
}
