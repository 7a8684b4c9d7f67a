import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import type { Stats, StatsRange } from "./stats-query.ts";
import { TimeChart } from "./time-chart.tsx";
import { useIntervalWords } from "./use-interval-words.ts";
import { STATISTICS } from "./words.ts";

/** How many calls there were, and how many of them did not succeed. */
export function CallsSection({ stats, range }: { stats: Stats; range: StatsRange }) {
  const say = useWords(STATISTICS);
  const format = useFormat();
  const intervalWords = useIntervalWords(range);
  return (
    <Section title={say("calls")} lead={say("callsLead")}>
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
