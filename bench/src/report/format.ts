import type { Spread } from "./spread.ts";

/** Above this share of its core, a load generator or receiver may limit the server. */
const OTHER_CPU_MAX = 0.85;

/** The median, the minimum and the maximum. */
export function spread({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

/** A share as a percentage; null when the system does not report it. */
export function percent(share: number | null): string {
  return share === null ? "?" : `${(share * 100).toFixed(0)}%`;
}

/** A warning when `other` used so much of its core that it may have limited the result. */
export function heldBack(other: string, cpu: number, name: string): string[] {
  if (cpu <= OTHER_CPU_MAX) return [];
  return [`WARNING: the ${other} used ${percent(cpu)} of its core and may have held ${name} back`];
}

/** The baseline never waits; when it used less than this share of its core, another program was running there. */
const YARDSTICK_CPU_MIN = 0.9;

/** A warning when the baseline did not have its core to itself. */
export function starved(yardstick: string, cpu: number | null, cost: string): string[] {
  if (cpu === null || cpu >= YARDSTICK_CPU_MIN) return [];
  const lack = `WARNING: the ${yardstick} got only ${percent(cpu)} of its core`;
  return [`${lack}: the machine is busy with other things, so trust ${cost} more than rates and ratios`];
}
