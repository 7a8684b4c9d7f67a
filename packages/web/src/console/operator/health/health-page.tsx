import type { Health } from "@portico/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { operatorApi } from "../../../shared/session/console.ts";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { Page, Section } from "../../../shared/ui/page.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { LiveButton, useLive } from "../../lists/live-button.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { CallsSection } from "./calls-section.tsx";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { Parts } from "./parts.tsx";
import { ProcessTable } from "./process-table.tsx";
import { HEALTH } from "./words.ts";

/** How the service fares: what it depends on, what waits, what fails, what is slow. */
export function HealthPage() {
  const say = useWords(HEALTH);
  const sayOperator = useWords(OPERATOR);
  const live = useLive();
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "health"],
    queryFn: ({ signal }) => operatorApi.getHealth({}, { signal }),
    refetchInterval: live.refetchInterval,
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={sayOperator("health")} lead={say("lead")} actions={<LiveButton live={live} />}>
      <QueryView query={query}>{(health) => <State health={health} />}</QueryView>
    </Page>
  );
}

function State({ health }: { health: Health }) {
  const say = useWords(HEALTH);
  const { processes, deliveries, minutes, mode } = health;
  return (
    <>
      <Parts health={health} />
      <Section title={say("deliveries")} lead={say("deliveriesLead")}>
        {deliveries === null ? <NotKnown /> : <DeliveriesSection deliveries={deliveries} />}
      </Section>
      <Section title={say("calls")} lead={say("callsLead", { count: minutes })}>
        {processes === null ? <NotKnown /> : <CallsSection processes={processes} />}
      </Section>
      <Section title={say("processes")} lead={say(mode === "EMBEDDED" ? "embedded" : "distributed")}>
        {processes === null ? <NotKnown /> : <ProcessTable processes={processes} at={health.at} />}
      </Section>
    </>
  );
}

/** In place of what the database does not tell at the moment. */
function NotKnown() {
  const say = useWords(HEALTH);
  return <EmptyState title={say("notKnown")} hint={say("notKnownHint")} />;
}
