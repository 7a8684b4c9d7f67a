import type { LiveResult, StreamFigures } from "../live/compare-live.ts";
import { SENDS_PER_SECOND } from "../live/make-changes.ts";
import type { Run } from "../run.ts";
import type { Report } from "./report.ts";
import { judgeLive } from "./targets.ts";

const HEAD = ["ms after the answer", "changes", "p50", "p95", "p99", "worst"];

export function reportLive({ streams, skipped, notes }: LiveResult, { options: { rounds, seconds } }: Run): Report {
  return {
    title: `From the answer to members' streams: ${SENDS_PER_SECOND} sends/s, one in ten a card that is updated and recalled, ${rounds} rounds of ${seconds} s`,
    setting: ["every process runs on any core; all calls go to the first process", ...notes],
    rows: [HEAD, ...streams.map(rowOf)],
    remarks: [
      ...skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
      "every stream brought every change once, in the order of msgSeq",
    ],
    verdicts: streams.map(judgeLive),
  };
}

function rowOf({ name, changes, ...figures }: StreamFigures): string[] {
  const times = [figures.p50Ms, figures.p95Ms, figures.p99Ms, figures.worstMs];
  return [name, String(changes), ...times.map((ms) => ms.toFixed(1))];
}
