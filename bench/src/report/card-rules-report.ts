import { type CardTiming, ITERATIONS, LARGEST_CARD } from "../card-rules.ts";
import type { Report } from "./report.ts";
import { judgeRules } from "./targets.ts";

const HEAD = ["", "bytes", "rules p50 µs", "rules p99 µs", "JSON.parse p50 µs", "JSON.parse p99 µs", "of JSON.parse"];

export function reportCardRules(timings: CardTiming[]): Report {
  return {
    title: `The card rules, in one process: ${ITERATIONS} cards of each kind`,
    setting: ["each card has just been parsed; of JSON.parse: the ratio of the medians"],
    rows: [HEAD, ...timings.map(rowOf)],
    remarks: [],
    verdicts: timings.filter(({ name }) => name === LARGEST_CARD).map(judgeRules),
  };
}

function rowOf({ name, bytes, check, parse }: CardTiming): string[] {
  const times = [check.p50Ms, check.p99Ms, parse.p50Ms, parse.p99Ms].map((ms) => (ms * 1_000).toFixed(1));
  return [name, String(bytes), ...times, (check.p50Ms / parse.p50Ms).toFixed(2)];
}
