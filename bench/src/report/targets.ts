import type { Summary } from "./summary.ts";

/** What a contender is held to. */
export interface Target {
  /** Share of the floor's rate that is promised. */
  promisedRatio: number;
  /** Share below which the run fails. */
  minimumRatio: number;
  /** 99th percentile at half load. */
  halfLoadP99Ms: number;
}

/** By the name of the contender. The distributed service has its promise against pgbench, not against the floor. */
const TARGETS: Record<string, Target> = {
  embedded: { promisedRatio: 0.5, minimumRatio: 0.35, halfLoadP99Ms: 20 },
};

/** One sentence for each target: kept or not. */
export function judge(summary: Summary): { line: string; failed: boolean }[] {
  const target = TARGETS[summary.name];
  if (target === undefined) return [];
  const { promisedRatio, minimumRatio, halfLoadP99Ms } = target;
  const ratio = summary.ratio.median;
  const standing =
    ratio >= promisedRatio ? "kept" : ratio >= minimumRatio ? "not kept yet, above the minimum" : "below the minimum";
  const p99Ms = summary.half.p99Ms;
  return [
    {
      line: `${summary.name}: ${ratio.toFixed(2)} of the floor (promised ${promisedRatio}, minimum ${minimumRatio}): ${standing}`,
      failed: ratio < minimumRatio,
    },
    {
      line: `${summary.name}: p99 at half load ${p99Ms.toFixed(1)} ms (promised below ${halfLoadP99Ms} ms): ${p99Ms < halfLoadP99Ms ? "kept" : "not kept"}`,
      failed: false,
    },
  ];
}
