import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { CallMetrics } from "./call-metrics.ts";
import type { StorageTimings } from "./storage/storage-timings.ts";

/** A value with its labels. */
export type Sample<Label extends string> = readonly [labels: Record<Label, string>, value: number];

type Soon<Value> = Value | Promise<Value>;

/** The metrics for Prometheus. Labels have few values: routes, codes and names of parts, never ids. */
export interface Metrics {
  registry: Registry;
  /** Counts one answered request and how long it took. */
  observe(method: string, route: string, code: string, durationMs: number): void;
  /** Counts a webhook delivery attempt by the class of its status, or the reason why it got none. */
  countAttempt(outcome: string): void;
  /** Counts a call that was refused because a quota of its application was used up. */
  countQuotaRefusal(quota: string): void;
  /** Is told of commits and syncs of the database. */
  timings: StorageTimings;
  /**
   * Adds a gauge that is read at each scrape; the scrape has no value of it when reading fails, takes longer than two
   * seconds, or gives null.
   */
  addGauge(name: string, help: string, read: () => Soon<number | null>): void;
  /** The same with labels. */
  addGauges<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    read: () => Soon<readonly Sample<Label>[]>,
  ): void;
  /** Adds a counter that is counted elsewhere and read at each scrape. */
  addCounter(name: string, help: string, read: () => number): void;
}

/**
 * A scrape waits no longer for a gauge: Prometheus gives up after ten seconds, and then has nothing of the process, just
 * when its database is in trouble.
 */
const READ_WITHIN_MS = 2_000;

/** Buckets, in seconds, for what a disk or a database does. */
const COMMIT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const calls = new CallMetrics(registry);
  const attempts = new Counter({
    name: "portico_webhook_attempts_total",
    help: "Webhook delivery attempts by the class of the answer's status, or the reason why there was none",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const quotaRefusals = new Counter({
    name: "portico_quota_refusals_total",
    help: "Calls refused because their application had used up a quota, by quota: minute, day or concurrent",
    labelNames: ["quota"],
    registers: [registry],
  });
  const attemptsBy = new Map<string, Counter.Internal>();
  return {
    registry,
    timings: storageTimings(registry),
    countAttempt(outcome) {
      // Looking a child up by its labels costs more than counting. There are few outcomes.
      const child = attemptsBy.get(outcome) ?? attempts.labels({ outcome });
      attemptsBy.set(outcome, child);
      child.inc();
    },
    countQuotaRefusal: (quota) => quotaRefusals.labels({ quota }).inc(),
    observe: (method, route, code, durationMs) => calls.observe(method, route, code, durationMs),
    addGauge: (name, help, read) => {
      addGauges(registry, name, help, [], async () => {
        const value = await read();
        return value === null ? [] : [[{}, value]];
      });
    },
    addGauges: (name, help, labels, read) => addGauges(registry, name, help, labels, read),
    addCounter: (name, help, read) => {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
  };
}

function storageTimings(registry: Registry): StorageTimings {
  const commits = new Histogram({
    name: "portico_commit_duration_seconds",
    help: "Time from the begin of a transaction of calls until it is on disk",
    buckets: COMMIT_BUCKETS,
    registers: [registry],
  });
  const units = new Counter({
    name: "portico_committed_units_total",
    help: "Units of work, such as calls, that transactions have committed; divided by commits, how many share one",
    registers: [registry],
  });
  const syncs = new Histogram({
    name: "portico_sync_duration_seconds",
    help: "Time that a sync of the embedded database's log to disk takes; none with PostgreSQL",
    buckets: COMMIT_BUCKETS,
    registers: [registry],
  });
  return {
    committed(durationMs, count) {
      commits.observe(durationMs / 1_000);
      units.inc(count);
    },
    synced: (durationMs) => syncs.observe(durationMs / 1_000),
  };
}

function addGauges<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
  read: () => Soon<readonly Sample<Label>[]>,
): void {
  // One that is late is not asked again before it has ended.
  let reading: Promise<readonly Sample<Label>[]> | null = null;
  const begin = () => {
    reading ??= Promise.resolve()
      .then(read)
      .catch(() => [])
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const gauge = new Gauge<Label>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const samples = await inTime(begin());
      this.reset();
      if (labelNames.length === 0) this.remove();
      for (const [labels, value] of samples) this.set(labels, value);
    },
  });
  // Until it is read for the first time it has no value either.
  if (labelNames.length === 0) gauge.remove();
}

/** What is read, or nothing when it is late. */
async function inTime<Read>(reading: Promise<readonly Read[]>): Promise<readonly Read[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Read[]>();
  const timer = setTimeout(resolve, READ_WITHIN_MS, []);
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
