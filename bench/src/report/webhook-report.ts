import type { Run } from "../run.ts";
import type { ServiceLatency, WebhookResult } from "../webhook/compare-webhook.ts";
import { BARE_LOOP } from "../webhook/drainers.ts";
import { FACTS_PER_SECOND, HANGING_EVERY } from "../webhook/make-facts.ts";
import { type DrainSummary, summarizeDrains } from "./drain-summary.ts";
import { heldBack, percent, spread, starved } from "./format.ts";
import type { Report } from "./report.ts";
import { medianOfKnown, spreadOf } from "./spread.ts";
import { judgeDrain, judgePosts, judgeReceipts } from "./targets.ts";

const HEAD = [
  "",
  "events/s",
  "of the bare loop",
  "CPU µs/event",
  "receiver CPU",
  "receipt p50 ms",
  "p95 ms",
  "p99 ms",
  "worst ms",
  "posts until received/s",
  "CPU µs/post",
];

export function reportWebhook(result: WebhookResult, { options, placement }: Run): Report {
  const { drains, latencies, posts, skipped, notes } = result;
  const summaries = summarizeDrains(drains);
  const { rounds, seconds } = options;
  const hangingPerSecond = FACTS_PER_SECOND / HANGING_EVERY;
  return {
    title: `Webhook deliveries to a TLS receiver on this machine: ${rounds} rounds of about ${seconds} s, median (min to max)`,
    setting: [
      "events/s: a backlog is written to the outbox before the process starts, and is measured after its first second; the bare loop posts the same from memory with undici, 20 at a time as the service",
      `receipt: after the answer to the member who wrote the message, ${FACTS_PER_SECOND} messages a second; ${hangingPerSecond} a second more go to an application whose receiver hangs`,
      "posts until received: 32 connections of eight members write to the bot without a pause; from the first post to the last event",
      `each deliverer is one process; ${placement.description}, with the receiver in it`,
      ...notes,
    ],
    rows: [HEAD, ...summaries.map((summary) => rowOf(summary, latencies, posts))],
    remarks: [
      ...skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
      "every event was received exactly once",
      ...latencies.map(
        ({ name, events, hung }) => `${name}: ${events} messages, ${hung} hanging requests at the same time`,
      ),
      ...summaries.flatMap(warnings),
    ],
    verdicts: [
      ...summaries.map(judgeDrain).filter((verdict) => verdict !== null),
      ...latencies.map(judgeReceipts),
      ...posts.map(({ name, rounds }) => judgePosts(name, spreadOf(rounds.map(({ perSecond }) => perSecond)).median)),
    ],
  };
}

function rowOf({ name, ...drain }: DrainSummary, latencies: ServiceLatency[], posts: WebhookResult["posts"]): string[] {
  return [
    name,
    spread(drain.perSecond, 0),
    spread(drain.ratio, 2),
    drain.cpuMsPerEvent === null ? "?" : (drain.cpuMsPerEvent * 1_000).toFixed(0),
    percent(drain.receiverCpu),
    ...timesOf(latencies.find((latency) => latency.name === name)),
    ...postsOf(posts.find((service) => service.name === name)),
  ];
}

function warnings({ name, receiverCpu, cpuMsPerEvent, perSecond }: DrainSummary): string[] {
  const cpu = cpuMsPerEvent === null ? null : (cpuMsPerEvent * perSecond.median) / 1_000;
  const starvation = name === BARE_LOOP ? starved(name, cpu, "CPU µs/event") : [];
  return [...heldBack("receiver", receiverCpu, name), ...starvation];
}

function postsOf(service: WebhookResult["posts"][number] | undefined): string[] {
  if (service === undefined) return ["", ""];
  const { rounds } = service;
  const cpu = medianOfKnown(rounds.map(({ cpuMsPerPost }) => cpuMsPerPost));
  return [spread(spreadOf(rounds.map(({ perSecond }) => perSecond)), 0), cpu === null ? "?" : (cpu * 1_000).toFixed(0)];
}

function timesOf(latency: ServiceLatency | undefined): string[] {
  if (latency === undefined) return ["", "", "", ""];
  const { p50Ms, p95Ms, p99Ms, worstMs } = latency;
  return [p50Ms, p95Ms, p99Ms, worstMs].map((ms) => ms.toFixed(1));
}
