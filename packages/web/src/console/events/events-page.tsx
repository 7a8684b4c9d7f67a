import { WarningFilled } from "@ant-design/icons-svg";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { eventTypesFor } from "../app/event-types.ts";
import { QueryView } from "../ui/query-view.tsx";
import { type Subscription, useSubscriptions } from "./event-queries.ts";
import { EventRow } from "./event-row.tsx";
import styles from "./events-page.module.css";
import { EVENTS } from "./words.ts";

/** The events that an application can be told of, and where they are sent. */
export function EventsPage() {
  const say = useWords(EVENTS);
  const { app, isOwner } = useApp();
  const query = useSubscriptions(app.appId);
  const eventTypes = eventTypesFor(app.type);
  if (eventTypes.length === 0) {
    return (
      <Page title={say("title")} lead={say("lead")}>
        <EmptyState title={say("none")} hint={say("noneHint")} />
      </Page>
    );
  }
  return (
    <Page title={say("title")} lead={say("lead")}>
      <QueryView query={query}>
        {(subscriptions) => (
          <>
            <CircuitNotice subscriptions={subscriptions} />
            <table className={styles.table} aria-label={say("title")}>
              <thead>
                <tr>
                  <th scope="col">{say("event")}</th>
                  <th scope="col">{say("scope")}</th>
                  <th scope="col">{say("delivery")}</th>
                </tr>
              </thead>
              <tbody>
                {eventTypes.map((eventType) => (
                  <EventRow
                    key={eventType}
                    app={app}
                    isOwner={isOwner}
                    eventType={eventType}
                    subscription={subscriptions.find((each) => each.eventType === eventType)}
                  />
                ))}
              </tbody>
            </table>
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** The circuit is one for all subscriptions of an application. */
function CircuitNotice({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const say = useWords(EVENTS);
  const state = subscriptions[0]?.circuitState ?? "NORMAL";
  if (state === "NORMAL") return null;
  const isOpen = state === "OPEN";
  return (
    <div className={styles.circuit} role="status">
      <strong>
        <Icon of={WarningFilled} /> {say(isOpen ? "circuitOpen" : "circuitProbing")}
      </strong>
      <p>{say(isOpen ? "circuitOpenText" : "circuitProbingText")}</p>
    </div>
  );
}
