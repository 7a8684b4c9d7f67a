/** The smallest value of `sorted` (ascending) that covers the share `quantile` (0 to 1); NaN when it is empty. */
export function quantileOf(sorted: Float64Array, quantile: number): number {
  const index = Math.max(0, Math.ceil(sorted.length * quantile) - 1);
  return sorted[index] ?? Number.NaN;
}

/** The middle one of `values`, or the mean of the two middle ones; NaN when it is empty. */
export function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Durations in milliseconds. */
export interface Quantiles {
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  worstMs: number;
}

export function quantilesOf(timesMs: number[]): Quantiles {
  const sorted = Float64Array.from(timesMs).sort();
  const at = (quantile: number) => quantileOf(sorted, quantile);
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), worstMs: at(1) };
}
