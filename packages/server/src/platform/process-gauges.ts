import { readdir } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { EventLoopLag } from "./event-loop-lag.ts";
import type { Metrics } from "./metrics.ts";
import { VERSION } from "./version.ts";

/** Where Linux lists the open files of this process; elsewhere they are not counted. */
const DESCRIPTORS = "/proc/self/fd";

/** Adds what is known of this process: version, memory, processor time, event loop. Measures until it is disposed of. */
export function addProcessGauges(metrics: Metrics, database: "sqlite" | "postgres"): Disposable {
  const lag = new EventLoopLag();
  metrics.addGauges(
    "portico_info",
    "Always 1; its labels are the version of the service and of Node, and the kind of database",
    ["version", "node", "database"],
    () => [[{ version: VERSION, node: process.versions.node, database }, 1]],
  );
  metrics.addGauge("process_start_time_seconds", "When the process started, in seconds since 1970", () => {
    return performance.timeOrigin / 1_000;
  });
  metrics.addCounter("process_cpu_seconds_total", "Processor time that all threads have used, in seconds", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.addGauge("process_resident_memory_bytes", "Memory of the process as the system counts it, in bytes", () =>
    process.memoryUsage.rss(),
  );
  metrics.addGauge("nodejs_heap_used_bytes", "Memory that JavaScript objects take, in bytes", () => {
    return process.memoryUsage().heapUsed;
  });
  metrics.addGauge("nodejs_external_memory_bytes", "Memory outside of the heap that belongs to it, in bytes", () => {
    return process.memoryUsage().external;
  });
  metrics.addGauge("process_open_fds", "Open files and connections, on Linux", async () => {
    return await readdir(DESCRIPTORS).then(
      (all) => all.length,
      () => null,
    );
  });
  metrics.addGauges(
    "portico_event_loop_lag_seconds",
    "How late the event loop was in the last ten seconds, by percentile: what a call waits for before it is begun",
    ["percentile"],
    () => lag.samples,
  );
  metrics.addCounter(
    "portico_event_loop_busy_seconds_total",
    "Time for which the event loop was not idle, in seconds; its rate is the use of the one core that calls share",
    () => performance.eventLoopUtilization().active / 1_000,
  );
  return lag;
}
