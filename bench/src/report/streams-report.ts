import type { CrowdFigures, StreamsResult } from "../streams/compare-streams.ts";
import { IN_LARGE_GROUP, STREAMS } from "../streams/crowd.ts";
import { percent } from "./format.ts";
import type { Report } from "./report.ts";
import { judgeStreams } from "./targets.ts";

const HEAD = [
  "one process",
  "MiB before",
  "MiB with streams",
  "KiB each",
  "opened/s",
  "CPU while idle",
  "last member ms, p50",
  "worst",
];

export function reportStreams({ processes, skipped, notes }: StreamsResult): Report {
  return {
    title: `${STREAMS} idle streams of members, each with five groups of ten; a message to a group of ${IN_LARGE_GROUP} of them`,
    setting: notes,
    rows: [HEAD, ...processes.map(rowOf)],
    remarks: skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
    verdicts: processes.flatMap(judgeStreams),
  };
}

function rowOf({ name, emptyBytes, idleBytes, openedPerSecond, idleCpu, fanOut }: CrowdFigures): string[] {
  const each = ((idleBytes ?? Number.NaN) - (emptyBytes ?? Number.NaN)) / STREAMS;
  return [
    name,
    mebibytes(emptyBytes),
    mebibytes(idleBytes),
    (each / 2 ** 10).toFixed(1),
    openedPerSecond.toFixed(0),
    percent(idleCpu),
    fanOut.p50Ms.toFixed(0),
    fanOut.worstMs.toFixed(0),
  ];
}

function mebibytes(bytes: number | null): string {
  return ((bytes ?? Number.NaN) / 2 ** 20).toFixed(0);
}
