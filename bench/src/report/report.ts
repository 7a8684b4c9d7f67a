import type { Machine } from "../machine.ts";
import type { Options } from "../options.ts";
import type { TextSendsResult } from "../text-sends.ts";
import { type Spread, type Summary, summarize } from "./summary.ts";
import { layOut, markdown } from "./table.ts";
import { judge } from "./targets.ts";

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

/** The figures of the text sends in words and tables, and whether they are good enough. */
export function reportTextSends(
  result: TextSendsResult,
  options: Options,
  machine: Machine,
  placement: string,
): { text: string; failed: boolean } {
  const summaries = summarize(result.showings);
  const verdicts = summaries.flatMap(judge);
  const rows = [HEAD, ...summaries.map(rowOf)];
  const { connections, rounds, seconds } = options;
  const title = `Signed durable text sends: ${connections} connections, ${rounds} rounds of ${seconds} s, median (min to max)`;
  const setting = [
    `${machine.cpu}, ${machine.cores} cores, ${(machine.memoryBytes / 2 ** 30).toFixed(0)} GiB, ${machine.system}, Node ${machine.node}`,
    `4 KiB write and sync: ${machine.syncMs.toFixed(2)} ms (median); load average before the run: ${machine.loadBefore.toFixed(1)}`,
    `each server is one process; ${placement}`,
    ...result.notes,
  ];
  const remarks = [
    ...result.skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
    ...result.showings.flatMap(({ name, acknowledged, kept }) =>
      kept === null ? [] : [`${name}: ${acknowledged} sends acknowledged, ${kept} messages in the conversation`],
    ),
    ...summaries.flatMap(warnings),
    ...verdicts.map(({ line }) => line),
  ];
  const text = [
    ["", title, ...setting].join("\n"),
    layOut(rows),
    remarks.join("\n"),
    ["For docs/performance.md:", "", ...setting.map((line) => `- ${line}`), "", markdown(rows)].join("\n"),
  ];
  return { text: `${text.join("\n\n")}\n`, failed: verdicts.some(({ failed }) => failed) };
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
