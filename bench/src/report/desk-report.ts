import { type DeskResult, type OfficeFigures, PER_SECOND } from "../desk/compare-desk.ts";
import { AGENTS, VISITORS } from "../desk/office.ts";
import type { Quantiles } from "../load/latencies.ts";
import type { Report } from "./report.ts";
import { judgeDesk } from "./targets.ts";

const HEAD = [
  "one process",
  "MiB before",
  "MiB with streams",
  "KiB each",
  "MiB after talking",
  "CPU idle, of a core",
  "CPU talking",
  "ms to the agent: p50",
  "p99",
  "ms to the visitor: p50",
  "p99",
];

export function reportDesk({ processes, skipped, notes }: DeskResult): Report {
  const talk = `${PER_SECOND} of them write in a second and are answered`;
  return {
    title: `${VISITORS} visitors and ${AGENTS} agents connected, each visitor in a conversation; ${talk}`,
    setting: notes,
    rows: [HEAD, ...processes.map(rowOf)],
    remarks: skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
    verdicts: processes.flatMap(judgeDesk),
  };
}

function rowOf(figures: OfficeFigures): string[] {
  const { name, emptyBytes, idleBytes, talkedBytes, idleCpu, talkCpu, toAgent, toVisitor } = figures;
  const each = ((idleBytes ?? Number.NaN) - (emptyBytes ?? Number.NaN)) / (VISITORS + AGENTS);
  return [
    name,
    mebibytes(emptyBytes),
    mebibytes(idleBytes),
    (each / 2 ** 10).toFixed(1),
    mebibytes(talkedBytes),
    percentage(idleCpu),
    percentage(talkCpu),
    ...times(toAgent),
    ...times(toVisitor),
  ];
}

function times({ p50Ms, p99Ms }: Quantiles): string[] {
  return [p50Ms.toFixed(1), p99Ms.toFixed(1)];
}

function percentage(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function mebibytes(bytes: number | null): string {
  return ((bytes ?? Number.NaN) / 2 ** 20).toFixed(0);
}
