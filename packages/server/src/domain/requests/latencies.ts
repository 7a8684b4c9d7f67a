import type { Latency } from "@portico/protocol";
import type { LatencyBound } from "../../platform/storage/schema/applications.ts";

/**
 * The durations in milliseconds up to which calls are counted. Neighbours differ by at most two thirds up to a second;
 * the last one also counts what takes longer.
 */
const BOUNDS = [
  ...([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70] as const),
  ...([100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10000, 60000] as const),
] satisfies LatencyBound[];

/** The columns of `call_counts` with these numbers, in the order of their bounds. */
export const LATENCY_COLUMNS = BOUNDS.map((bound) => `ms_${bound}` as const);

type LatencyColumn = (typeof LATENCY_COLUMNS)[number];

/** Numbers of calls by their duration. */
export type Latencies = Record<LatencyColumn, number>;

/** The column that counts a call of this duration. */
export function latencyColumn(durationMs: number): LatencyColumn {
  return `ms_${BOUNDS.find((bound) => durationMs <= bound) ?? 60000}`;
}

/** No calls. */
export function noLatencies(): Latencies {
  return Object.fromEntries(LATENCY_COLUMNS.map((column) => [column, 0])) as Latencies;
}

/** Adds what another part of the same calls took. */
export function addLatencies(sum: Latencies, part: Latencies): void {
  for (const column of LATENCY_COLUMNS) sum[column] += part[column];
}

/** The bounds within which half, 95% and 99% of the calls were answered; null without calls. */
export function percentiles(latencies: Latencies): Latency | null {
  const total = LATENCY_COLUMNS.reduce((sum, column) => sum + latencies[column], 0);
  if (total === 0) return null;
  const within = (share: number): number => {
    let counted = 0;
    const bound = BOUNDS.find((each) => {
      counted += latencies[`ms_${each}`];
      return counted >= total * share;
    });
    return bound ?? 60000;
  };
  return { p50: within(0.5), p95: within(0.95), p99: within(0.99) };
}
