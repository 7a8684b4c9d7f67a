import { Progress } from "antd";
import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import styles from "./quota-use-section.module.css";
import type { Stats, StatsRange } from "./stats-query.ts";
import { STATISTICS } from "./words.ts";

/** How near the application came to its limits. */
export function QuotaUseSection({ stats, range }: { stats: Stats; range: StatsRange }) {
  const say = useWords(STATISTICS);
  const { quota } = useApp().app;
  const busiest = Math.max(0, ...stats.items.map(({ calls }) => calls));
  return (
    <Section title={say("quota")} lead={say("quotaLead")}>
      <div className={styles.uses}>
        <Use name={say("usedToday")} used={quota.usedToday} limit={quota.perDay} />
        {range === "1h" && <Use name={say("busiestMinute")} used={busiest} limit={quota.perMinute} />}
        {(range === "24h" || range === "7d") && (
          <Use name={say("busiestHour")} used={busiest / 60} limit={quota.perMinute} />
        )}
        {range === "30d" && <Use name={say("busiestDay")} used={busiest} limit={quota.perDay} />}
      </div>
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
        <span>{say("usedOf", { used: format.number(Math.ceil(used)), limit: format.number(limit) })}</span>
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
