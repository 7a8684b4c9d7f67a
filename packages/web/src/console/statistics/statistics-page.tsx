import { Segmented } from "antd";
import { Link } from "react-router";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAddress } from "../lists/address.ts";
import { QueryView } from "../ui/query-view.tsx";
import { Waiting } from "../ui/waiting.tsx";
import { CallsSection } from "./calls-section.tsx";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { ErrorsSection } from "./errors-section.tsx";
import { KeyFigures } from "./key-figures.tsx";
import { LatencySection } from "./latency-section.tsx";
import { QuotaUseSection } from "./quota-use-section.tsx";
import { STATS_RANGE_NAMES, type Stats, type StatsRange, statsRangeOf, useStats } from "./stats-query.ts";
import { STATISTICS } from "./words.ts";

const RANGE_WORDS = { "1h": "last1h", "24h": "last24h", "7d": "last7d", "30d": "last30d" } as const;

/** What an application did, in numbers over time. */
export function StatisticsPage() {
  const say = useWords(STATISTICS);
  const { appId } = useApp().app;
  const { params, change } = useAddress();
  const range = statsRangeOf(params);
  const choice = (
    <Segmented<StatsRange>
      aria-label={say("range")}
      value={range}
      options={STATS_RANGE_NAMES.map((value) => ({ value, label: say(RANGE_WORDS[value]) }))}
      onChange={(chosen) => change({ range: chosen })}
    />
  );
  return (
    <Page title={say("title")} lead={say("lead")} actions={choice}>
      <QueryView query={useStats(appId, range)} skeleton={<Waiting rows={10} />}>
        {(stats) => (isEmpty(stats) ? <Nothing appId={appId} /> : <Numbers stats={stats} range={range} />)}
      </QueryView>
    </Page>
  );
}

function Numbers({ stats, range }: { stats: Stats; range: StatsRange }) {
  return (
    <>
      <KeyFigures stats={stats} />
      <CallsSection stats={stats} range={range} />
      <ErrorsSection stats={stats} />
      <LatencySection stats={stats} range={range} />
      <DeliveriesSection stats={stats} range={range} />
      <QuotaUseSection stats={stats} range={range} />
    </>
  );
}

function Nothing({ appId }: { appId: string }) {
  const say = useWords(STATISTICS);
  const explorer = <Link to={`/apps/${encodeURIComponent(appId)}/api-explorer`}>{say("emptyAction")}</Link>;
  return <EmptyState title={say("empty")} hint={say("emptyHint")} action={explorer} />;
}

function isEmpty({ totals: { calls, deliveries } }: Stats): boolean {
  return calls === 0 && Object.values(deliveries).every((count) => count === 0);
}
