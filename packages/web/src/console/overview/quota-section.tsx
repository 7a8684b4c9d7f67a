import { Progress } from "antd";
import { Section } from "../../shared/ui/page.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import styles from "./quota-section.module.css";
import { OVERVIEW } from "./words.ts";

/** What an application may call, and what it has used of it today. */
export function QuotaSection() {
  const say = useWords(OVERVIEW);
  const format = useFormat();
  const { quota } = useApp().app;
  const limits = [
    { word: "perMinute", limit: quota.perMinute, isDefault: quota.isDefault.perMinute },
    { word: "perDay", limit: quota.perDay, isDefault: quota.isDefault.perDay },
    { word: "concurrent", limit: quota.concurrent, isDefault: quota.isDefault.concurrent },
  ] as const;
  return (
    <Section title={say("quota")} lead={say("quotaLead")}>
      <dl className={styles.limits}>
        {limits.map(({ word, limit, isDefault }) => (
          <div key={word}>
            <dt>{say(word)}</dt>
            <dd>
              {format.number(limit)}
              {!isDefault && <small>{say("ownLimit")}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.used}>
        <span>{say("usedToday", { used: format.number(quota.usedToday), limit: format.number(quota.perDay) })}</span>
        <Progress
          percent={Math.min((quota.usedToday / quota.perDay) * 100, 100)}
          showInfo={false}
          size="small"
          aria-label={say("quota")}
        />
      </div>
    </Section>
  );
}
