import { Progress } from "antd";
import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import styles from "./quota-use-section.module.css";
import type { Stats, StatsRange } from "./stats-query.ts";
import { TimeChart } from "./time-chart.tsx";
import { useIntervalWords } from "./use-interval-words.ts";
import { STATISTICS } from "./words.ts";

const DAY_MS = 86_400_000;

/** How near the application came to its limits. */
export function QuotaUseSection({ stats, range }: { stats: Stats; range: StatsRange }) {
  const say = useWords(STATISTICS);
  const format = useFormat();
  const dayWords = useIntervalWords("30d");
  const { perMinute, perDay, days } = stats.quota;
  const lastDay = days.at(-1);
  const usedToday = lastDay !== undefined && lastDay.at + DAY_MS > Date.now() ? lastDay.used : 0;
  return (
    <Section title={say("quota")} lead={say("quotaLead")}>
      <div className={styles.uses}>
        <Use name={say("usedToday")} used={usedToday} limit={perDay} />
        <Use name={say("busiestMinute")} used={stats.totals.busiestMinute} limit={perMinute} />
      </div>
      {days.length > 1 && (range === "7d" || range === "30d") && (
        <TimeChart
          chart={{
            ...dayWords,
            name: say("quota"),
            kind: "bars",
            series: [{ key: "used", label: say("usedADay"), colour: "var(--accent)" }],
            points: days.map(({ at, used }) => ({ at, values: { used } })),
            formatValue: format.number,
          }}
        />
      )}
    </Section>
  );
}

function Use({ name, used, limit }: { name: string; used: number; limit: number }) {
  const say = useWords(STATISTICS);
  const format = useFormat();
  return (
    <div>
      <div className={styles.use}>
        <span>{name}</span>
        <span>{say("usedOf", { used: format.number(used), limit: format.number(limit) })}</span>
      </div>
      <Progress
        percent={Math.min((used / limit) * 100, 100)}
        status={used > limit * 0.9 ? "exception" : "normal"}
        showInfo={false}
        size="small"
        aria-label={name}
      />
    </div>
  );
}
