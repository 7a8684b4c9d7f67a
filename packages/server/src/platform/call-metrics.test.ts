import assert from "node:assert/strict";
import { test } from "node:test";
import { Counter, Histogram, Registry } from "prom-client";
import { CallMetrics } from "./call-metrics.ts";

test("the metrics of requests are exposed as the library's own counter and histogram would be", async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const metrics = new CallMetrics(ours);
  const counter = new Counter({
    name: "portico_requests_total",
    help: "Answered requests by method, route and code of the answer",
    labelNames: ["method", "route", "code"],
    registers: [theirs],
  });
  const histogram = new Histogram({
    name: "portico_request_duration_seconds",
    help: "Time from a request's head to the end of its answer, by route",
    labelNames: ["route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [theirs],
  });
  const observe = (method: string, route: string, code: string, ms: number) => {
    metrics.observe(method, route, code, ms);
    counter.inc({ method, route, code });
    histogram.observe({ route }, ms / 1_000);
  };
  const compare = async () => {
    // Samples of one metric have no order among themselves.
    assert.deepEqual((await ours.metrics()).split("\n").sort(), (await theirs.metrics()).split("\n").sort());
    assert.deepEqual(
      (await ours.getMetricsAsJSON()).map(({ name, type }) => [name, type]),
      (await theirs.getMetricsAsJSON()).map(({ name, type }) => [name, type]),
    );
  };
  await compare();
  // Below, at and above each bound.
  for (const ms of [0, 0.5, 1, 1.5, 2.5, 5, 10, 20, 50, 99, 250, 500, 1_000, 2_500, 5_000, 10_000, 10_001, 1e6]) {
    observe("POST", "/api/open/v2/bot/messages", ms > 10 ? "0" : "429001", ms);
    observe("GET", '/say "no"', "500000 a rule", ms / 3);
    observe("GET", "", "404000", ms * 2);
  }
  await compare();
  observe("PUT", "/api/open/v2/bot/messages", "0", 3);
  await compare();
});
