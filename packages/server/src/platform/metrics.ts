import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** The metrics for Prometheus. Labels have few values: routes and codes, never ids. */
export interface Metrics {
  registry: Registry;
  /** Counts one answered request and how long it took. */
  observe(method: string, route: string, code: string, durationMs: number): void;
  /** Counts a webhook delivery attempt by the class of its status, or the reason why it got none. */
  countAttempt(outcome: string): void;
  /** Adds a gauge that is read at each scrape; it is left out of the scrape when reading fails. */
  addGauge(name: string, help: string, read: () => Promise<number>): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = new Counter({
    name: "portico_requests_total",
    help: "Answered requests by method, route and code of the answer",
    labelNames: ["method", "route", "code"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "portico_request_duration_seconds",
    help: "Time from a request's head to the end of its answer, by route",
    labelNames: ["route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const attempts = new Counter({
    name: "portico_webhook_attempts_total",
    help: "Webhook delivery attempts by the class of the answer's status, or the reason why there was none",
    labelNames: ["outcome"],
    registers: [registry],
  });
  // Children are cached: looking one up by its labels costs more than counting. There are as many as routes and codes.
  const counterOf = remembering((method: string, route: string, code: string) =>
    requests.labels({ method, route, code }),
  );
  const timerOf = remembering((route: string) => duration.labels({ route }));
  return {
    registry,
    addGauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read().catch(() => Number.NaN));
        },
      });
    },
    countAttempt: (outcome) => attempts.labels({ outcome }).inc(),
    observe(method, route, code, durationMs) {
      counterOf(method, route, code).inc();
      timerOf(route).observe(durationMs / 1_000);
    },
  };
}

function remembering<Labels extends string[], Child>(make: (...labels: Labels) => Child): (...labels: Labels) => Child {
  const children = new Map<string, Child>();
  return (...labels) => {
    const key = labels.join(" ");
    const known = children.get(key);
    if (known !== undefined) return known;
    const child = make(...labels);
    children.set(key, child);
    return child;
  };
}
