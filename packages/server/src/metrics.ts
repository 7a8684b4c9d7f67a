import { Counter, Histogram, Registry } from "prom-client";

/** What Prometheus is told. Labels take few values: routes and codes, never ids. */
export interface Metrics {
  registry: Registry;
  /** Counts one answered request and how long it took. */
  observe(method: string, route: string, code: string, durationMs: number): void;
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
  return {
    registry,
    observe(method, route, code, durationMs) {
      requests.inc({ method, route, code });
      duration.observe({ route }, durationMs / 1_000);
    },
  };
}
