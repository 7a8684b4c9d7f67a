import { useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import styles from "./chart.module.css";
import { type ChartData, heightOf } from "./chart.ts";
import { STATISTICS } from "./words.ts";

/** A chart's numbers as a table, newest first, without the intervals in which nothing was. */
export function ChartTable({ chart }: { chart: ChartData }) {
  const say = useWords(STATISTICS);
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.details} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{say("asTable")}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it has to be reached by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={say("tableOf", { name: chart.name })}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{say("time")}</th>
                {chart.series.map(({ key, label }) => (
                  <th key={key} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {chart.points
                .filter((point) => heightOf(chart, point) > 0)
                .reverse()
                .map(({ at, values }) => (
                  <tr key={at}>
                    <th scope="row">{chart.formatTime(at)}</th>
                    {chart.series.map(({ key }) => (
                      <td key={key}>{values[key] == null ? "–" : chart.formatValue(values[key])}</td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
