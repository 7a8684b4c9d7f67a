import type { RecentFigures, RouteFigures } from "@portico/protocol";
import { addLatencies, type Latencies, latencyColumn, noLatencies, percentiles } from "./latencies.ts";

const MINUTE_MS = 60_000;
/** Whole minutes, before the one that runs, that are remembered. */
export const RECENT_MINUTES = 5;
/** The routes that are named. */
const NAMED = 10;

/** An answered request. */
export interface AnsweredCall {
  /** When it arrived, in epoch milliseconds. */
  at: number;
  method: string;
  /** The pattern of its path; empty when no route took it. */
  route: string;
  status: number;
  durationMs: number;
}

interface Figures extends Latencies {
  calls: number;
  refused: number;
  failed: number;
}

interface OfRoute extends Figures {
  method: string;
  route: string;
}

/**
 * What this process has answered in the last minutes, by route. There are as many routes as the service has, whatever is
 * asked for.
 */
export class RecentCalls {
  /** By minute, then by route. */
  readonly #minutes = new Map<number, Map<string, OfRoute>>();

  add({ at, method, route, status, durationMs }: AnsweredCall): void {
    const figures = this.#figuresOf(Math.floor(at / MINUTE_MS), method, route);
    figures.calls++;
    if (status >= 500) figures.failed++;
    else if (status >= 400) figures.refused++;
    figures[latencyColumn(durationMs)]++;
  }

  /** The figures of the last minutes at `now`, the one that runs included. */
  figuresAt(now: number): RecentFigures {
    const first = Math.floor(now / MINUTE_MS) - RECENT_MINUTES;
    const total = noFigures();
    const routes = new Map<string, OfRoute>();
    for (const [minute, ofMinute] of this.#minutes) {
      if (minute < first || minute > first + RECENT_MINUTES) continue;
      for (const [key, part] of ofMinute) {
        const sum = routes.get(key) ?? { ...noFigures(), method: part.method, route: part.route };
        routes.set(key, sum);
        addFigures(sum, part);
        addFigures(total, part);
      }
    }
    const { calls, refused, failed } = total;
    const slowest = [...routes.values()].map(routeFigures).sort((a, b) => b.p95 - a.p95 || b.calls - a.calls);
    return { calls, refused, failed, latency: percentiles(total), slowest: slowest.slice(0, NAMED) };
  }

  #figuresOf(minute: number, method: string, route: string): OfRoute {
    let ofMinute = this.#minutes.get(minute);
    if (ofMinute === undefined) {
      // A clock that is set back or ahead leaves no more minutes behind than any other.
      for (const old of this.#minutes.keys()) {
        if (Math.abs(minute - old) > RECENT_MINUTES) this.#minutes.delete(old);
      }
      ofMinute = new Map();
      this.#minutes.set(minute, ofMinute);
    }
    const key = `${method} ${route}`;
    let figures = ofMinute.get(key);
    if (figures === undefined) {
      figures = { ...noFigures(), method, route };
      ofMinute.set(key, figures);
    }
    return figures;
  }
}

function noFigures(): Figures {
  return { calls: 0, refused: 0, failed: 0, ...noLatencies() };
}

function addFigures(sum: Figures, part: Figures): void {
  sum.calls += part.calls;
  sum.refused += part.refused;
  sum.failed += part.failed;
  addLatencies(sum, part);
}

function routeFigures(figures: OfRoute): RouteFigures {
  const { method, route, calls, failed } = figures;
  const { p50 = 0, p95 = 0 } = percentiles(figures) ?? {};
  return { method, route, calls, failed, p50, p95 };
}
