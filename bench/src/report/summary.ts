import type { Round, Showing } from "../signed-sends.ts";
import { medianOfKnown, type Spread, spreadOf } from "./spread.ts";

/** One contender's figures over all rounds; latencies in milliseconds; null when the system does not report them. */
export interface Summary {
  name: string;
  perSecond: Spread;
  /** The ratio to the floor's rate, computed per round. */
  ratio: Spread;
  full: { p50Ms: number; p99Ms: number };
  half: { p50Ms: number; p99Ms: number };
  serverCpu: number | null;
  serverCpuMsPerCall: number | null;
  generatorCpu: number;
  peakMemoryBytes: number | null;
}

/** Summarises `showings`, the first of which is the floor's. */
export function summarize(showings: Showing[]): Summary[] {
  const floor = showings[0]?.rounds ?? [];
  return showings.map(({ name, rounds, peakMemoryBytes }) => {
    const over = (figure: (round: Round) => number) => spreadOf(rounds.map(figure)).median;
    const latencies = (load: keyof Round) => ({
      p50Ms: over((round) => round[load].p50Ms),
      p99Ms: over((round) => round[load].p99Ms),
    });
    return {
      name,
      perSecond: spreadOf(rounds.map(({ full }) => full.perSecond)),
      ratio: spreadOf(rounds.map(({ full }, index) => full.perSecond / (floor[index]?.full.perSecond ?? Number.NaN))),
      full: latencies("full"),
      half: latencies("half"),
      serverCpu: medianOfKnown(rounds.map(({ full }) => full.serverCpu)),
      serverCpuMsPerCall: medianOfKnown(rounds.map(({ full }) => full.serverCpuMsPerCall)),
      generatorCpu: over(({ full }) => full.generatorCpu),
      peakMemoryBytes,
    };
  });
}
