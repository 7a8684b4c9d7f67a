import type { ServiceWorks, WorksResult } from "../beside/compare-works.ts";
import { shareOf, type WorkFigures } from "../beside/work.ts";
import type { Phase } from "../phase.ts";
import { heldBack, spread } from "./format.ts";
import type { Report } from "./report.ts";
import { medianOfKnown, spreadOf } from "./spread.ts";
import { judgeShare, type Verdict } from "./targets.ts";

const HEAD = ["", "calls/s", "beside", "ratio", "p50 ms", "p99 ms", "CPU µs/call"];

/** The parts of a report on calls that are compared with signed sends, or with a bare server. */
export function reportWorks({ services, skipped }: WorksResult): Pick<Report, "rows" | "remarks" | "verdicts"> {
  return {
    rows: [HEAD, ...services.flatMap(rowsOf)],
    remarks: [...skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`), ...services.flatMap(warnings)],
    verdicts: services.flatMap(({ name, works }) => works.map((work) => judgeWork(name, work))),
  };
}

/** The figures of phases: rate, median and 99th percentile, processor time. */
export function phaseCells(phases: readonly Phase[]): { rate: string; times: string[] } {
  const over = (figure: "p50Ms" | "p99Ms") => spreadOf(phases.map((phase) => phase[figure])).median.toFixed(1);
  const cpuMs = medianOfKnown(phases.map(({ serverCpuMsPerCall }) => serverCpuMsPerCall));
  const cpu = cpuMs === null ? "?" : (cpuMs * 1_000).toFixed(0);
  return {
    rate: spread(spreadOf(phases.map(({ perSecond }) => perSecond)), 0),
    times: [over("p50Ms"), over("p99Ms"), cpu],
  };
}

function rowsOf({ name, signed, works }: ServiceWorks): string[][] {
  const cells = phaseCells(signed);
  const own = signed.length === 0 ? [] : [[`${name}, signed sends`, cells.rate, "", "", ...cells.times]];
  return [...own, ...works.map((work) => rowOf(name, work))];
}

function rowOf(service: string, work: WorkFigures): string[] {
  const { rate, times } = phaseCells(work.rounds.map(({ phase }) => phase));
  const ratio = spreadOf(work.rounds.map((round) => shareOf(work, round)));
  const digits = digitsOf(ratio.median);
  return [`${service}, ${work.name}`, rate, besideOf(work), spread(ratio, digits), ...times];
}

function besideOf({ beside, pacedPerSecond }: WorkFigures): string {
  return pacedPerSecond === null ? beside : `${beside} at ${pacedPerSecond}/s, by CPU`;
}

/** More digits for shares that two would not show. */
function digitsOf(share: number): number {
  return share < 0.1 ? 3 : 2;
}

/** The verdict on a service's calls of one kind. */
export function judgeWork(service: string, work: WorkFigures): Verdict {
  const { name, promised, rounds } = work;
  const share = spreadOf(rounds.map((round) => shareOf(work, round))).median;
  return judgeShare(`${service}, ${name}: ${share.toFixed(digitsOf(share))} of ${besideOf(work)}`, share, promised);
}

function warnings({ name, works }: ServiceWorks): string[] {
  const busiest = Math.max(0, ...works.flatMap(({ rounds }) => rounds.map(({ phase }) => phase.generatorCpu)));
  return heldBack("load generator", busiest, name);
}
