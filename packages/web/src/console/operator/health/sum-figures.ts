import type { ProcessHealth, RouteFigures } from "@portico/protocol";

/** Routes that are named. */
const NAMED = 10;

/** What all processes have answered. */
export function sumOf(processes: readonly ProcessHealth[]): { calls: number; refused: number; failed: number } {
  const sum = { calls: 0, refused: 0, failed: 0 };
  for (const { figures } of processes) {
    sum.calls += figures.calls;
    sum.refused += figures.refused;
    sum.failed += figures.failed;
  }
  return sum;
}

/** The slowest routes of all processes; a route is as slow as in the process where it is slowest. */
export function slowestOfAll(processes: readonly ProcessHealth[]): RouteFigures[] {
  const routes = new Map<string, RouteFigures>();
  for (const each of processes.flatMap(({ figures }) => figures.slowest)) {
    const key = `${each.method} ${each.route}`;
    const known = routes.get(key);
    if (known === undefined) routes.set(key, { ...each });
    else {
      known.calls += each.calls;
      known.failed += each.failed;
      known.p50 = Math.max(known.p50, each.p50);
      known.p95 = Math.max(known.p95, each.p95);
    }
  }
  return [...routes.values()].sort((a, b) => b.p95 - a.p95 || b.calls - a.calls).slice(0, NAMED);
}
