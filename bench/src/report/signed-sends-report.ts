import { MESSAGE_KINDS } from "../load/message-kinds.ts";
import type { Run } from "../run.ts";
import type { SignedSendsResult } from "../signed-sends.ts";
import type { Report } from "./report.ts";
import { type Spread, type Summary, summarize } from "./summary.ts";
import { judgeSends } from "./targets.ts";

/** Above this share of its core the load generator may hold the server back. */
const GENERATOR_CPU_MAX = 0.85;
/** The floor waits for nothing; with less than this share of its core, something else was running there. */
const FLOOR_CPU_MIN = 0.9;

const HEAD = [
  "",
  "calls/s",
  "of the floor",
  "p50 ms",
  "p99 ms",
  "p50 ms, half load",
  "p99 ms, half load",
  "server CPU",
  "CPU µs/call",
  "peak RSS MB",
  "generator CPU",
];

export function reportSignedSends(result: SignedSendsResult, { options, placement }: Run): Report {
  const { kind, showings, skipped, notes } = result;
  const summaries = summarize(showings);
  const { connections, rounds, seconds } = options;
  return {
    title: `Signed durable sends of ${MESSAGE_KINDS[kind]}: ${connections} connections, ${rounds} rounds of up to ${seconds} s, median (min to max)`,
    setting: [`each server is one process; ${placement.description}`, ...notes],
    rows: [HEAD, ...summaries.map(rowOf)],
    remarks: [
      ...skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
      ...showings.flatMap(({ name, acknowledged, kept }) =>
        kept === null ? [] : [`${name}: ${acknowledged} sends acknowledged, ${kept} messages in the conversation`],
      ),
      ...summaries.flatMap(warnings),
    ],
    verdicts: summaries.flatMap((summary) => judgeSends(kind, summary)),
  };
}

function rowOf({ name, perSecond, ratio, full, half, ...rest }: Summary): string[] {
  return [
    name,
    spread(perSecond, 0),
    name === "floor" ? "1" : spread(ratio, 2),
    full.p50Ms.toFixed(1),
    full.p99Ms.toFixed(1),
    half.p50Ms.toFixed(1),
    half.p99Ms.toFixed(1),
    percent(rest.serverCpu),
    rest.serverCpuMsPerCall === null ? "?" : (rest.serverCpuMsPerCall * 1_000).toFixed(0),
    rest.peakMemoryBytes === null ? "?" : (rest.peakMemoryBytes / 1e6).toFixed(0),
    percent(rest.generatorCpu),
  ];
}

function warnings({ name, generatorCpu, serverCpu }: Summary): string[] {
  const lines: string[] = [];
  if (generatorCpu > GENERATOR_CPU_MAX) {
    lines.push(`WARNING: the load generator used ${percent(generatorCpu)} of its core and may have held ${name} back`);
  }
  if (name === "floor" && serverCpu !== null && serverCpu < FLOOR_CPU_MIN) {
    const lack = `WARNING: the floor got only ${percent(serverCpu)} of its core`;
    lines.push(`${lack}: the machine is busy with other things, so trust CPU µs/call more than rates and ratios`);
  }
  return lines;
}

function spread({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

function percent(share: number | null): string {
  return share === null ? "?" : `${(share * 100).toFixed(0)}%`;
}
