/** The value that a share `quantile` (0 to 1) of `sorted`, in ascending order, does not exceed; NaN when it is empty. */
export function quantileOf(sorted: Float64Array, quantile: number): number {
  const index = Math.max(0, Math.ceil(sorted.length * quantile) - 1);
  return sorted[index] ?? Number.NaN;
}

/** The middle one of `values`, or the mean of the two middle ones; NaN when there are none. */
export function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
