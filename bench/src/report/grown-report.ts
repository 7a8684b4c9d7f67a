import type { GrownFigures, GrownResult } from "../grown/compare-grown.ts";
import { MESSAGES } from "../grown/fill-messages.ts";
import type { Phase } from "../phase.ts";
import type { Run } from "../run.ts";
import { heldBack, spread } from "./format.ts";
import type { Report } from "./report.ts";
import { medianOfKnown, type Spread, spreadOf } from "./spread.ts";
import { judgeGrown } from "./targets.ts";

const HEAD = ["sends with an idempotency key", "calls/s", "of the empty store", "p99 ms", "CPU µs/call"];

export function reportGrown({ engines, skipped, notes }: GrownResult, { options, placement }: Run): Report {
  const { connections, rounds, seconds } = options;
  return {
    title: `Sends to a store with ${MESSAGES} messages: ${connections} connections, ${rounds} rounds of up to ${seconds} s, median (min to max)`,
    setting: [`each server is one process; ${placement.description}`, ...notes],
    rows: [HEAD, ...engines.flatMap(rowsOf)],
    remarks: [
      ...skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
      ...engines.flatMap(({ name, empty }) => heldBack("load generator", medianOf(empty, "generatorCpu"), name)),
    ],
    verdicts: engines.map((figures) => judgeGrown(figures.name, shareOf(figures).median)),
  };
}

function rowsOf(figures: GrownFigures): string[][] {
  const row = (store: "empty" | "grown", share: string) => {
    const phases = figures[store];
    const cpuMs = medianOfKnown(phases.map(({ serverCpuMsPerCall }) => serverCpuMsPerCall));
    const rate = spread(spreadOf(phases.map(({ perSecond }) => perSecond)), 0);
    const cpu = cpuMs === null ? "?" : (cpuMs * 1_000).toFixed(0);
    return [`${figures.name}, ${store}`, rate, share, medianOf(phases, "p99Ms").toFixed(1), cpu];
  };
  return [row("empty", "1"), row("grown", spread(shareOf(figures), 2))];
}

/** The rate on the grown store as a share of that on the empty one, computed per round. */
function shareOf({ empty, grown }: GrownFigures): Spread {
  return spreadOf(grown.map(({ perSecond }, round) => perSecond / (empty[round]?.perSecond ?? Number.NaN)));
}

function medianOf(phases: readonly Phase[], figure: "generatorCpu" | "p99Ms"): number {
  return spreadOf(phases.map((phase) => phase[figure])).median;
}
