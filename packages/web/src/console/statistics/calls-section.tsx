import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { STATS_RANGES, type Stats, type StatsRange } from "./stats-query.ts";
import { TimeChart } from "./time-chart.tsx";
import { useIntervalWords } from "./use-interval-words.ts";
import { STATISTICS } from "./words.ts";

/** How many calls there were, and how many of them did not succeed. */
export function CallsSection({ stats, range }: { stats: Stats; range: StatsRange }) {
  const say = useWords(STATISTICS);
  const format = useFormat();
  const intervalWords = useIntervalWords(range);
  const isCutOff = stats.callsFrom > (stats.items[0]?.at ?? 0) + STATS_RANGES[range].intervalMs;
  return (
    <Section
      title={say("calls")}
      lead={isCutOff ? say("callsFrom", { date: format.date(stats.callsFrom) }) : say("callsLead")}
    >
      <TimeChart
        chart={{
          ...intervalWords,
          name: say("calls"),
          kind: "bars",
          series: [
            { key: "errors", label: say("errors"), colour: "var(--bad)" },
            { key: "succeeded", label: say("succeeded"), colour: "var(--accent)" },
          ],
          points: stats.items.map(({ at, calls, errors }) => ({ at, values: { errors, succeeded: calls - errors } })),
          formatValue: format.number,
        }}
      />
    </Section>
  );
}
