import type { Stats } from "@portico/protocol";
import type { CallFigures, Intervals } from "../../../domain/requests/call-figures.ts";
import { addLatencies, noLatencies, percentiles } from "../../../domain/requests/latencies.ts";
import type { DeliveryFigure } from "../../../domain/webhooks/delivery-figures.ts";

/** Sums up figures by the interval, and altogether. */
export class FiguresByInterval {
  readonly #items = new Map<number, Sum>();
  readonly #totals = noFigures();

  /** Every interval is shown, whether something is added to it or not. */
  constructor({ from, until, intervalMs }: Intervals) {
    for (let at = from; at < until; at += intervalMs) this.#items.set(at, noFigures());
  }

  addCalls({ at, ...part }: CallFigures): void {
    for (const sum of this.#sumsOf(at)) {
      sum.calls += part.calls;
      sum.errors += part.errors;
      sum.busiestMinute = Math.max(sum.busiestMinute, part.busiest);
      addLatencies(sum.latencies, part);
    }
  }

  addDeliveries({ at, figure, count }: DeliveryFigure): void {
    for (const { deliveries } of this.#sumsOf(at)) deliveries[figure] += count;
  }

  shown(): Pick<Stats, "items" | "totals"> {
    return {
      items: Array.from(this.#items, ([at, sum]) => ({ at, ...shown(sum) })),
      totals: shown(this.#totals),
    };
  }

  #sumsOf(at: number): Sum[] {
    return [this.#items.get(at) ?? noFigures(), this.#totals];
  }
}

type Sum = ReturnType<typeof noFigures>;

function noFigures() {
  return {
    calls: 0,
    errors: 0,
    deliveries: { delivered: 0, failed: 0, pending: 0, dropped: 0 },
    latencies: noLatencies(),
    busiestMinute: 0,
  };
}

function shown({ latencies, ...sum }: Sum): Stats["totals"] {
  return { ...sum, latency: percentiles(latencies) };
}
