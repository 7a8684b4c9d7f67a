import { medianOf } from "../load/latencies.ts";
import type { Phase } from "../phase.ts";
import type { Round, Showing } from "../signed-sends.ts";

/** A figure over all rounds. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** One contender's figures over all rounds; latencies in milliseconds. Null: the system does not tell. */
export interface Summary {
  name: string;
  perSecond: Spread;
  /** Of the floor's rate, taken round by round. */
  ratio: Spread;
  full: { p50Ms: number; p99Ms: number };
  half: { p50Ms: number; p99Ms: number };
  serverCpu: number | null;
  serverCpuMsPerCall: number | null;
  generatorCpu: number;
  peakMemoryBytes: number | null;
}

/** Condenses `showings`, of which the first is the floor's. */
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
      serverCpu: known(rounds, ({ serverCpu }) => serverCpu),
      serverCpuMsPerCall: known(rounds, ({ serverCpuMsPerCall }) => serverCpuMsPerCall),
      generatorCpu: over(({ full }) => full.generatorCpu),
      peakMemoryBytes,
    };
  });
}

function known(rounds: Round[], figure: (phase: Phase) => number | null): number | null {
  const values = rounds.map(({ full }) => figure(full)).filter((value) => value !== null);
  return values.length === 0 ? null : medianOf(values);
}

function spreadOf(values: number[]): Spread {
  return { median: medianOf(values), min: Math.min(...values), max: Math.max(...values) };
}
