import type { CardTiming } from "../card-rules.ts";
import type { InsertRates } from "../contenders/pgbench.ts";
import type { ExplainFigures } from "../explain/compare-explain.ts";
import type { StreamFigures } from "../live/compare-live.ts";
import { medianOf } from "../load/latencies.ts";
import type { MessageKind } from "../load/message-kinds.ts";
import type { Work } from "../members/member-calls.ts";
import type { Showing } from "../signed-sends.ts";
import type { CrowdFigures } from "../streams/compare-streams.ts";
import { STREAMS } from "../streams/crowd.ts";
import type { ServiceLatency } from "../webhook/compare-webhook.ts";
import type { DrainSummary } from "./drain-summary.ts";
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
  text: { embedded: { promisedRatio: 0.5, minimumRatio: 0.35 } },
  card: { embedded: { promisedRatio: 0.5, minimumRatio: 0.3 } },
};
/** Processor time of the service for a text, in microseconds. */
const CPU_US: Record<string, number> = { distributed: 150 };
/** 99th percentile at half load, for contenders that have a target. */
const HALF_LOAD_P99_MS = 20;
/** Of pgbench's rate with the same inserts, one send in a transaction. */
const INSERTS_RATIO = 1;
/** Median for a card of the maximum size. */
const CARD_RULES_P50_MS = 1;
/** 99th percentile of the time from the answer to the arrival at a stream. */
const LIVE_P99_MS = 100;

/** The embedded service's target for delivering a backlog. As with sends, the distributed service has none. */
const DRAIN_TARGET: Target = { promisedRatio: 0.5, minimumRatio: 0.2 };
/** 95th percentile of the time from the answer of a message to the receipt of its event. */
const RECEIPT_P95_MS = 100;

/** Of a process with {@link STREAMS} idle streams, in MiB. */
const STREAMS_MIB = 250;
/** The time from a message to a group of 5,000 connected members until the last of them has it. */
const FAN_OUT_MS = 1_000;

/** The rate of sends to a store with a million messages, of that to an empty one. */
const GROWN_RATIO = 0.9;

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

/** The promised ratios of members' calls: of posts to signed sends, of reads to a bare server with the same answer. */
const MEMBERS_RATIOS: Record<Work, number> = {
  posts: 0.7,
  "posts with a mention of a bot": 0.5,
  conversations: 0.5,
  history: 0.5,
  changes: 0.5,
};

/** The verdict on a service's calls of one kind. */
export function judgeMembers(name: string, work: Work, ratio: number): Verdict {
  const promised = MEMBERS_RATIOS[work];
  const standing = ratio >= promised ? "kept" : "not kept";
  return { line: `${name}: ${ratio.toFixed(2)} (promised ${promised}): ${standing}`, failed: false };
}

/** The verdict on the distributed service's sends beside the same inserts by pgbench, one send in a transaction. */
export function judgeInserts(
  { name, rounds }: Pick<Showing, "name" | "rounds">,
  inserts: readonly InsertRates[],
): Verdict[] {
  if (name !== "distributed" || inserts.length === 0) return [];
  const ratio = medianOf(rounds.map(({ full }, round) => full.perSecond / (inserts[round]?.oneByOne ?? Number.NaN)));
  const standing = ratio >= INSERTS_RATIO ? "kept" : "not kept";
  const line = `${name}: ${ratio.toFixed(2)} of pgbench's inserts one by one (promised ${INSERTS_RATIO}): ${standing}`;
  return [{ line, failed: false }];
}

export function judgeRules({ name, check }: CardTiming): Verdict {
  return judgeTime(`${name}: median of the rules`, check.p50Ms, CARD_RULES_P50_MS);
}

export function judgeLive({ name, p99Ms }: StreamFigures): Verdict {
  return judgeTime(`${name}: p99 from the answer to the stream`, p99Ms, LIVE_P99_MS);
}

/** Null for a service without a target. */
export function judgeDrain({ name, ratio: { median } }: DrainSummary): Verdict | null {
  if (name !== "embedded") return null;
  return judgeRatio(`${name}: ${median.toFixed(2)} of the bare loop`, median, DRAIN_TARGET);
}

export function judgeReceipts({ name, p95Ms }: ServiceLatency): Verdict {
  return judgeTime(`${name}: p95 from the answer to the receipt`, p95Ms, RECEIPT_P95_MS);
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
  const standing = ratio >= GROWN_RATIO ? "kept" : "not kept";
  return {
    line: `${name}: ${ratio.toFixed(2)} of the empty store's rate (promised ${GROWN_RATIO}): ${standing}`,
    failed: false,
  };
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

/** Times vary too much between runs to fail one. */
function judgeTime(what: string, ms: number, promisedMs: number): Verdict {
  const standing = ms < promisedMs ? "kept" : "not kept";
  return { line: `${what} ${ms.toFixed(2)} ms (promised below ${promisedMs} ms): ${standing}`, failed: false };
}
