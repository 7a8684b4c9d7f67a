import { Counter, type Metric, type Registry } from "prom-client";

/** The upper bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const NAME = "portico_request_duration_seconds";

/** How long the requests of a route took. */
class RouteTimes {
  /** By bucket, without those of the buckets before; the last is that of longer ones. */
  readonly counts = new Array<number>(BOUNDS.length + 1).fill(0);
  sum = 0;

  add(seconds: number): void {
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] ?? 0)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += seconds;
  }
}

/** A line of an exposed histogram. */
interface Line {
  labels: Record<string, string | number>;
  value: number;
  metricName: string;
}

/**
 * The metrics of answered requests. Every request is counted here, and the library, which hashes the labels of each observation
 * anew, is told only at a scrape. There are as many counts as routes and codes.
 */
export class CallMetrics {
  /** By route, method and code. */
  readonly #counts = new Map<string, Map<string, Map<string, number>>>();
  readonly #times = new Map<string, RouteTimes>();

  constructor(registry: Registry) {
    const counts = this.#counts;
    new Counter({
      name: "portico_requests_total",
      help: "Answered requests by method, route and code of the answer",
      labelNames: ["method", "route", "code"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [route, methods] of counts) {
          for (const [method, codes] of methods) {
            for (const [code, count] of codes) this.inc({ method, route, code }, count);
          }
        }
      },
    });
    // The registry needs no more of a metric than its name and what it has.
    registry.registerMetric({ name: NAME, get: async () => this.#histogram() } as unknown as Metric);
  }

  /** Counts one answered request and how long it took. */
  observe(method: string, route: string, code: string, durationMs: number): void {
    const codes = childOf(childOf(this.#counts, route, newMap<Map<string, number>>), method, newMap<number>);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    childOf(this.#times, route, newTimes).add(durationMs / 1_000);
  }

  #histogram() {
    const values = [...this.#times].flatMap(([route, times]) => linesOf(route, times));
    const help = "Time from a request's head to the end of its answer, by route";
    return { name: NAME, help, type: "histogram", aggregator: "sum", values };
  }
}

function linesOf(route: string, { counts, sum }: RouteTimes): Line[] {
  let count = 0;
  const buckets = counts.map((more, bucket): Line => {
    count += more;
    return { labels: { le: BOUNDS[bucket] ?? "+Inf", route }, value: count, metricName: `${NAME}_bucket` };
  });
  return [
    ...buckets,
    { labels: { route }, value: sum, metricName: `${NAME}_sum` },
    { labels: { route }, value: count, metricName: `${NAME}_count` },
  ];
}

const newMap = <Value>() => new Map<string, Value>();
const newTimes = () => new RouteTimes();

function childOf<Child>(children: Map<string, Child>, name: string, make: () => Child): Child {
  const known = children.get(name);
  if (known !== undefined) return known;
  const child = make();
  children.set(name, child);
  return child;
}
