import type { InsertRates } from "../contenders/pgbench.ts";
import { MESSAGE_KINDS } from "../load/message-kinds.ts";
import type { Run } from "../run.ts";
import type { SignedSendsResult } from "../signed-sends.ts";
import { heldBack, percent, spread, starved } from "./format.ts";
import type { Report } from "./report.ts";
import { spreadOf } from "./spread.ts";
import { type Summary, summarize } from "./summary.ts";
import { judgeInserts, judgeSends } from "./targets.ts";

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
  const { kind, showings, inserts, skipped, notes } = result;
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
      ...insertRemarks(inserts),
    ],
    verdicts: [
      ...summaries.flatMap((summary) => judgeSends(kind, summary)),
      ...showings.flatMap((showing) => judgeInserts(showing, inserts)),
    ],
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

function insertRemarks(inserts: readonly InsertRates[]): string[] {
  if (inserts.length === 0) return [];
  const rate = (of: keyof InsertRates) => spread(spreadOf(inserts.map((rates) => rates[of])), 0);
  return [`pgbench, the inserts of sends per second: one by one ${rate("oneByOne")}, batched ${rate("batched")}`];
}

function warnings({ name, generatorCpu, serverCpu }: Summary): string[] {
  const starvation = name === "floor" ? starved(name, serverCpu, "CPU µs/call") : [];
  return [...heldBack("load generator", generatorCpu, name), ...starvation];
}
