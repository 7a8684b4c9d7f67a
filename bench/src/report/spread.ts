import { medianOf } from "../load/latencies.ts";

/** A figure over all rounds. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spreadOf(values: number[]): Spread {
  return { median: medianOf(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The spread of figures of which some may be missing; null when all are. */
export function medianOfKnown(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : medianOf(known);
}
