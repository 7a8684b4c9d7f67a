import type { CardTiming } from "../card-rules.ts";
import type { PeakMemory } from "../contenders/memory-watch.ts";
import type { InsertRates } from "../contenders/pgbench.ts";
import type { OfficeFigures } from "../desk/compare-desk.ts";
import type { ExplainFigures } from "../explain/compare-explain.ts";
import type { StreamFigures } from "../live/compare-live.ts";
import { medianOf } from "../load/latencies.ts";
import type { MessageKind } from "../load/message-kinds.ts";
import type { Showing } from "../signed-sends.ts";
import type { CrowdFigures } from "../streams/compare-streams.ts";
import { STREAMS } from "../streams/crowd.ts";
import type { ServiceLatency } from "../webhook/compare-webhook.ts";
import type { DrainSummary } from "./drain-summary.ts";
import type { Spread } from "./spread.ts";
import type { Summary } from "./summary.ts";

/** A sentence that says whether one promise is kept. */
export interface Verdict {
  line: string;
  /** Whether this fails the run. */
  failed: boolean;
}

/** The target of a contender. */
interface Target {
  /** The promised share of the baseline's rate. */
  promisedRatio: number;
  /** The share below which the run fails. */
  minimumRatio: number;
}

/** Targets by contender. The distributed service is compared with pgbench, not with the floor. */
const TARGETS: Record<MessageKind, Record<string, Target>> = {
  text: {
    embedded: { promisedRatio: 0.5, minimumRatio: 0.35 },
    "embedded, keyed": { promisedRatio: 0.5, minimumRatio: 0.2 },
  },
  card: { embedded: { promisedRatio: 0.5, minimumRatio: 0.3 } },
};
/** Processor time of the service for a text, in microseconds. */
const CPU_US: Record<string, number> = { distributed: 150 };
/** 99th percentile of sends that are not at full load: at half load, for contenders that have a target, and beside lists. */
const HALF_LOAD_P99_MS = 20;
/**
 * The distributed service beside commit 1b7b1c2, which handled one call after another: multiples of its rates, and the
 * share of its processor time for a send, which was 376 µs when the {@link CPU_US} were set.
 */
const AGAINST = { sends: 3, posts: 4, sendsCpuShare: 150 / 376 };
/** Of pgbench's rate with the same inserts: one send in a transaction, and as many as the service's transactions carry. */
const INSERTS_RATIO = { oneByOne: 1, batched: 0.5 };
const INSERTS_FORM = { oneByOne: "one by one", batched: "in batches" };
/** Median for a card of the maximum size. */
const CARD_RULES_P50_MS = 1;
/** 99th percentile of the time from the answer to the arrival at a stream. */
const LIVE_P99_MS = 100;

/** The targets for delivering a backlog. The distributed service does not fail the run. */
const DRAIN_TARGETS: Record<string, Target> = {
  embedded: { promisedRatio: 0.5, minimumRatio: 0.2 },
  distributed: { promisedRatio: 0.5, minimumRatio: 0 },
};
/**
 * Events that Svix, a delivery service on PostgreSQL and Redis, creates and delivers in a second: 470 to 640 measured on
 * the same class of machine, with two slow cores. The middle of that is the unit of the promise for members' posts.
 */
const SVIX_PER_SECOND = (470 + 640) / 2;
const SVIX_TIMES: Record<string, number> = { embedded: 5, distributed: 2 };
/** 95th percentile of the time from the answer of a message to the receipt of its event. */
const RECEIPT_P95_MS = 100;

/** Of a process of the service under any load, in millions of bytes. */
const MEMORY_MB = 300;
/** Of a process with {@link STREAMS} idle streams, in MiB. */
const STREAMS_MIB = 250;
/** The time from a message to a group of 5,000 connected members until the last of them has it. */
const FAN_OUT_MS = 1_000;

/** The rate of sends to a store with a million messages, of that to an empty one. */
const GROWN_RATIO = 0.9;

/** The rate of uploads, of that of a bare server that stores them. */
const UPLOADS_RATIO = 0.5;

/** The longest time from a refusal to its explanation. */
const EXPLAINED_MS = 1_000;

/** The verdicts on a contender's targets. */
export function judgeSends(kind: MessageKind, summary: Summary): Verdict[] {
  const {
    name,
    ratio: { median: ratio },
    half,
    serverCpuMsPerCall: cpuMs,
  } = summary;
  const target = TARGETS[kind][name];
  const cpu = kind === "text" ? judgeCpu(name, cpuMs) : [];
  if (target === undefined) return cpu;
  return [
    ...cpu,
    judgeRatio(`${name}: ${ratio.toFixed(2)} of the floor`, ratio, target),
    judgeTime(`${name}: p99 at half load`, half.p99Ms, HALF_LOAD_P99_MS),
  ];
}

function judgeCpu(name: string, cpuMs: number | null): Verdict[] {
  const promised = CPU_US[name];
  if (promised === undefined || cpuMs === null) return [];
  const us = cpuMs * 1_000;
  const standing = us <= promised ? "kept" : "not kept";
  const line = `${name}: ${us.toFixed(0)} µs of the service's processor time for a send (promised at most ${promised} µs)`;
  return [{ line: `${line}: ${standing}`, failed: false }];
}

/** The verdict on signed sends at a low rate while something else is done; null for nothing else. */
export function judgeSendsBeside(name: string, beside: string | null, p99Ms: number): Verdict {
  return judgeTime(
    `${name}: p99 of signed sends ${beside === null ? "alone" : `beside ${beside}`}`,
    p99Ms,
    HALF_LOAD_P99_MS,
  );
}

/** The verdicts on the distributed service's sends beside the same inserts by pgbench, in both forms. */
export function judgeInserts(
  { name, rounds }: Pick<Showing, "name" | "rounds">,
  inserts: readonly InsertRates[],
): Verdict[] {
  if (name !== "distributed" || inserts.length === 0) return [];
  return (["oneByOne", "batched"] as const).map((form) => {
    const ratio = medianOf(rounds.map(({ full }, round) => full.perSecond / (inserts[round]?.[form] ?? Number.NaN)));
    return judgeShare(
      `${name}: ${ratio.toFixed(2)} of pgbench's inserts ${INSERTS_FORM[form]}`,
      ratio,
      INSERTS_RATIO[form],
    );
  });
}

export function judgeRules({ name, check }: CardTiming): Verdict {
  return judgeTime(`${name}: median of the rules`, check.p50Ms, CARD_RULES_P50_MS);
}

export function judgeLive({ name, p99Ms }: StreamFigures): Verdict {
  return judgeTime(`${name}: p99 from the answer to the stream`, p99Ms, LIVE_P99_MS);
}

/** Null for a service without a target. */
export function judgeDrain({ name, ratio: { median } }: DrainSummary): Verdict | null {
  const target = DRAIN_TARGETS[name];
  return target ? judgeRatio(`${name}: ${median.toFixed(2)} of the bare loop`, median, target) : null;
}

/** The verdict on members' posts until their events are received, `perSecond` of them. */
export function judgePosts(name: string, perSecond: number): Verdict {
  const times = perSecond / SVIX_PER_SECOND;
  const promised = SVIX_TIMES[name] ?? 1;
  const unit = `posts/s until received, ${times.toFixed(1)} times Svix's ${SVIX_PER_SECOND} events/s`;
  return judgeShare(`${name}: ${perSecond.toFixed(0)} ${unit}`, times, promised);
}

/** The verdicts on distributed sends beside those of another version. */
export function judgeSendsAgainst(
  other: string,
  { times, cpuMs, cpuShare }: { times: Spread; cpuMs: number | null; cpuShare: number | null },
): Verdict[] {
  const rate = judgeShare(
    `distributed, sends: ${times.median.toFixed(2)} times those of ${other}`,
    times.median,
    AGAINST.sends,
  );
  if (cpuMs === null || cpuShare === null) return [rate];
  const standing = cpuShare <= AGAINST.sendsCpuShare ? "kept" : "not kept";
  const line = `distributed: ${cpuShare.toFixed(2)} of the processor time of ${other} for a send (promised at most ${AGAINST.sendsCpuShare.toFixed(2)})`;
  return [rate, ...judgeCpu("distributed", cpuMs), { line: `${line}: ${standing}`, failed: false }];
}

/** The verdict on members' posts until they are received, beside those of another version. */
export function judgePostsAgainst(other: string, { median }: Spread): Verdict {
  const what = `distributed, posts until received: ${median.toFixed(2)} times those of ${other}`;
  return judgeShare(what, median, AGAINST.posts);
}

/** The verdict on the highest memory that a service needed during a comparison. */
export function judgeMemory({ name, bytes }: PeakMemory): Verdict {
  const megabytes = bytes / 1e6;
  const standing = megabytes < MEMORY_MB ? "kept" : "not kept";
  const line = `${name}: peak memory ${megabytes.toFixed(0)} MB (promised below ${MEMORY_MB} MB): ${standing}`;
  return { line, failed: false };
}

/** The verdicts on the time from a message between a visitor and an agent to the other side's stream. */
export function judgeDesk({
  name,
  toAgent,
  toVisitor,
}: Pick<OfficeFigures, "name" | "toAgent" | "toVisitor">): Verdict[] {
  return [
    judgeTime(`${name}: p99 until the agent's stream has it`, toAgent.p99Ms, LIVE_P99_MS),
    judgeTime(`${name}: p99 until the visitor's stream has it`, toVisitor.p99Ms, LIVE_P99_MS),
  ];
}

export function judgeReceipts({ name, p95Ms }: ServiceLatency): Verdict {
  return judgeTime(`${name}: p95 from the answer to the receipt`, p95Ms, RECEIPT_P95_MS);
}

/** The verdict on a service's uploads, as a share of the floor's. */
export function judgeUploads(name: string, ratio: number): Verdict {
  return judgeShare(`${name}: ${ratio.toFixed(2)} of the floor's uploads`, ratio, UPLOADS_RATIO);
}

/** The verdicts on the memory of idle streams and on the time of a large group's message. */
export function judgeStreams({ name, idleBytes, fanOut }: CrowdFigures): Verdict[] {
  const mebibytes = (idleBytes ?? Number.NaN) / 2 ** 20;
  const standing = mebibytes < STREAMS_MIB ? "kept" : "not kept";
  const line = `${name}: ${mebibytes.toFixed(0)} MiB with ${STREAMS} idle streams (promised below ${STREAMS_MIB} MiB): ${standing}`;
  const time = judgeTime(`${name}: the last member of a large group has its message after`, fanOut.worstMs, FAN_OUT_MS);
  return [{ line, failed: false }, time];
}

/** The verdict on an engine's sends to a grown store, as a share of those to an empty one. */
export function judgeGrown(name: string, ratio: number): Verdict {
  return judgeShare(`${name}: ${ratio.toFixed(2)} of the empty store's rate`, ratio, GROWN_RATIO);
}

export function judgeExplain({ name, worstMs }: ExplainFigures): Verdict {
  return judgeTime(`${name}: worst time from a refusal to its explanation`, worstMs, EXPLAINED_MS);
}

function judgeRatio(what: string, ratio: number, { promisedRatio, minimumRatio }: Target): Verdict {
  const standing =
    ratio >= promisedRatio ? "kept" : ratio >= minimumRatio ? "not kept yet, above the minimum" : "below the minimum";
  return {
    line: `${what} (promised ${promisedRatio}, minimum ${minimumRatio}): ${standing}`,
    failed: ratio < minimumRatio,
  };
}

/** A share that does not fail a run. */
export function judgeShare(what: string, share: number, promised: number): Verdict {
  const standing = share >= promised ? "kept" : "not kept";
  return { line: `${what} (promised ${promised}): ${standing}`, failed: false };
}

/** Times vary too much between runs to fail one. */
function judgeTime(what: string, ms: number, promisedMs: number): Verdict {
  const standing = ms < promisedMs ? "kept" : "not kept";
  return { line: `${what} ${ms.toFixed(2)} ms (promised below ${promisedMs} ms): ${standing}`, failed: false };
}
