import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import type { Stats, StatsRange } from "./stats-query.ts";
import { TimeChart } from "./time-chart.tsx";
import { useIntervalWords } from "./use-interval-words.ts";
import { STATISTICS } from "./words.ts";

/** What became of the events that were to be delivered. */
export function DeliveriesSection({ stats, range }: { stats: Stats; range: StatsRange }) {
  const say = useWords(STATISTICS);
  const format = useFormat();
  const intervalWords = useIntervalWords(range);
  if (Object.values(stats.totals.deliveries).every((count) => count === 0)) {
    return (
      <Section title={say("deliveries")} lead={say("deliveriesLead")}>
        {say("noDeliveries")}
      </Section>
    );
  }
  return (
    <Section title={say("deliveries")} lead={say("deliveriesLead")}>
      <TimeChart
        chart={{
          ...intervalWords,
          name: say("deliveries"),
          kind: "bars",
          series: [
            { key: "failed", label: say("failed"), colour: "var(--bad)" },
            { key: "pending", label: say("pending"), colour: "var(--warn)" },
            { key: "dropped", label: say("dropped"), colour: "var(--text-faint)" },
            { key: "delivered", label: say("delivered"), colour: "var(--good)" },
          ],
          points: stats.items.map(({ at, deliveries }) => ({ at, values: deliveries })),
          formatValue: format.number,
        }}
      />
    </Section>
  );
}
