import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import type { Stats, StatsRange } from "./stats-query.ts";
import { TimeChart } from "./time-chart.tsx";
import { useIntervalWords } from "./use-interval-words.ts";
import { STATISTICS } from "./words.ts";

/** How long the service took for calls. */
export function LatencySection({ stats, range }: { stats: Stats; range: StatsRange }) {
  const say = useWords(STATISTICS);
  const format = useFormat();
  const intervalWords = useIntervalWords(range);
  return (
    <Section title={say("latency")} lead={say("latencyLead")}>
      <TimeChart
        chart={{
          ...intervalWords,
          name: say("latency"),
          kind: "lines",
          series: [
            { key: "p50", label: "p50", colour: "var(--good)" },
            { key: "p95", label: "p95", colour: "var(--accent)" },
            { key: "p99", label: "p99", colour: "var(--warn)" },
          ],
          points: stats.items.map(({ at, latency }) => ({ at, values: latency ?? {} })),
          formatValue: format.duration,
        }}
      />
    </Section>
  );
}
