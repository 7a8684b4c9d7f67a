import { Segmented } from "antd";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { APP } from "../app/words.ts";
import { useAddress } from "../lists/address.ts";
import { QueryView } from "../ui/query-view.tsx";
import { Waiting } from "../ui/waiting.tsx";
import { AgentsSection } from "./agents-section.tsx";
import { NowSection } from "./now-section.tsx";
import { RangeSection } from "./range-section.tsx";
import { RatingsSection } from "./ratings-section.tsx";
import { SERVICE_RANGES, type ServiceRange, serviceRangeOf, useDeskStats } from "./service-query.ts";
import { SERVICE } from "./words.ts";

const RANGE_WORDS = { "24h": "last24h", "7d": "last7d", "30d": "last30d" } as const;

/** How an application's desk does: who is there, who waits, and what visitors got. */
export function ServicePage() {
  const say = useWords(SERVICE);
  const sayApp = useWords(APP);
  const isService = useApp().app.type === "CUSTOMER_SERVICE";
  const { params, change } = useAddress();
  const range = serviceRangeOf(params);
  const choice = (
    <Segmented<ServiceRange>
      aria-label={say("range")}
      value={range}
      options={SERVICE_RANGES.map((value) => ({ value, label: say(RANGE_WORDS[value]) }))}
      onChange={(chosen) => change({ range: chosen })}
    />
  );
  return (
    <Page title={sayApp("service")} lead={say("lead")} actions={isService && choice}>
      {isService ? <Figures range={range} /> : <EmptyState title={say("notService")} />}
    </Page>
  );
}

function Figures({ range }: { range: ServiceRange }) {
  const { appId } = useApp().app;
  return (
    <QueryView query={useDeskStats(appId, range)} skeleton={<Waiting rows={10} />}>
      {(stats) => (
        <>
          <NowSection stats={stats} />
          <RangeSection stats={stats} />
          <AgentsSection agents={stats.agents} />
          <RatingsSection ratings={stats.ratings} />
        </>
      )}
    </QueryView>
  );
}
