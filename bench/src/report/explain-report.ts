import { CALLS_PER_SECOND, type ExplainFigures, type ExplainResult } from "../explain/compare-explain.ts";
import type { Run } from "../run.ts";
import type { Report } from "./report.ts";
import { judgeExplain } from "./targets.ts";

const HEAD = ["ms from the refusal to its explanation", "explained", "p50", "p95", "worst", "calls/s of the load"];

export function reportExplain({ services, skipped, notes }: ExplainResult, { options }: Run): Report {
  const { rounds, seconds } = options;
  return {
    title: `Refused calls explained by their reqNo, under a load of ${CALLS_PER_SECOND} sends/s: ${rounds} rounds of ${seconds} s`,
    setting: ["every process runs on any core, the load generator too", ...notes],
    rows: [HEAD, ...services.map(rowOf)],
    remarks: skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
    verdicts: services.map(judgeExplain),
  };
}

function rowOf({ name, explained, p50Ms, p95Ms, worstMs, perSecond }: ExplainFigures): string[] {
  return [name, String(explained), ...[p50Ms, p95Ms, worstMs].map((ms) => ms.toFixed(0)), perSecond.toFixed(0)];
}
