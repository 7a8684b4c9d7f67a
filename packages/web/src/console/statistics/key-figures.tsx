import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { Figures } from "../ui/figures.tsx";
import type { Stats } from "./stats-query.ts";
import { STATISTICS } from "./words.ts";

/** The few numbers that say most, over the whole range. */
export function KeyFigures({ stats: { totals } }: { stats: Stats }) {
  const say = useWords(STATISTICS);
  const format = useFormat();
  const { calls, errors, deliveries } = totals;
  const figures = [
    { name: say("calls"), value: format.number(calls) },
    { name: say("errors"), value: format.number(errors) },
    { name: say("errorRate"), value: calls === 0 ? "–" : format.percent(errors / calls) },
    { name: say("delivered"), value: format.number(deliveries.delivered) },
    { name: say("failed"), value: format.number(deliveries.failed) },
  ];
  return <Figures figures={figures} />;
}
