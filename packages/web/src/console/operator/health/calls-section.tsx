import type { ProcessHealth, RouteFigures } from "@portico/protocol";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { useFormat } from "../../../shared/words/format.ts";
import { useWords } from "../../../shared/words/words.ts";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { BrokenName } from "../../ui/broken-name.tsx";
import styles from "./health.module.css";
import { slowestOfAll, sumOf } from "./sum-figures.ts";
import { HEALTH } from "./words.ts";

/** What was answered of late, how much of it failed, and what took longest. */
export function CallsSection({ processes }: { processes: readonly ProcessHealth[] }) {
  const say = useWords(HEALTH);
  const format = useFormat();
  const { calls, refused, failed } = sumOf(processes);
  const figures = [
    { name: say("answered"), value: format.number(calls) },
    { name: say("refused"), value: format.number(refused) },
    { name: say("failed"), value: format.number(failed) },
    { name: say("errorRate"), value: calls === 0 ? "–" : format.percent(failed / calls) },
  ];
  return (
    <>
      <dl className={styles.figures}>
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <SlowestRoutes routes={slowestOfAll(processes)} />
    </>
  );
}

function SlowestRoutes({ routes }: { routes: readonly RouteFigures[] }) {
  const say = useWords(HEALTH);
  const format = useFormat();
  const columns: ListColumn<RouteFigures>[] = [
    {
      key: "route",
      title: say("slowest"),
      kind: "main",
      cell: ({ method, route }) => (
        <code>
          {method} <BrokenName name={route || "–"} />
        </code>
      ),
    },
    { key: "calls", title: say("callsTitle"), kind: "wide-number", cell: ({ calls }) => format.number(calls) },
    { key: "failed", title: say("failed"), kind: "wide-number", cell: ({ failed }) => format.number(failed) },
    { key: "p50", title: "p50", kind: "wide-number", cell: ({ p50 }) => format.duration(p50) },
    { key: "p95", title: "p95", kind: "number", cell: ({ p95 }) => format.duration(p95) },
  ];
  return (
    <ListTable<RouteFigures>
      label={say("slowest")}
      columns={columns}
      rows={routes}
      idOf={({ method, route }) => `${method} ${route}`}
      empty={<EmptyState title={say("noCalls")} />}
    />
  );
}
