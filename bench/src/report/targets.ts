import type { CardTiming } from "../card-rules.ts";
import type { ExplainFigures } from "../explain/compare-explain.ts";
import type { StreamFigures } from "../live/compare-live.ts";
import type { MessageKind } from "../load/message-kinds.ts";
import type { ServiceLatency } from "../webhook/compare-webhook.ts";
import type { DrainSummary } from "./drain-summary.ts";
import type { Summary } from "./summary.ts";

/** Whether one promise is kept, in a sentence. */
export interface Verdict {
  line: string;
  /** Whether it fails the run. */
  failed: boolean;
}

/** What a contender is held to. */
interface Target {
  /** Share of the yardstick's rate that is promised. */
  promisedRatio: number;
  /** Share below which the run fails. */
  minimumRatio: number;
}

/** By the name of the contender. The distributed service has its promise against pgbench, not against the floor. */
const TARGETS: Record<MessageKind, Record<string, Target>> = {
  text: { embedded: { promisedRatio: 0.5, minimumRatio: 0.35 } },
  card: { embedded: { promisedRatio: 0.5, minimumRatio: 0.3 } },
};
/** 99th percentile at half load, of any contender that has a target. */
const HALF_LOAD_P99_MS = 20;
/** Median of the largest card there may be. */
const CARD_RULES_P50_MS = 1;
/** 99th percentile, from the answer to the arrival at a stream. */
const LIVE_P99_MS = 100;

/** What the embedded service is held to when it delivers a backlog; as with sends, the distributed one is not. */
const DRAIN_TARGET: Target = { promisedRatio: 0.5, minimumRatio: 0.2 };
/** 95th percentile, from the answer of a fact to the receipt of its event. */
const RECEIPT_P95_MS = 100;

/** From a refusal to its explanation, at the worst. */
const EXPLAINED_MS = 1_000;

/** One sentence for each target of a contender. */
export function judgeSends(kind: MessageKind, { name, ratio: { median: ratio }, half }: Summary): Verdict[] {
  const target = TARGETS[kind][name];
  if (target === undefined) return [];
  return [
    judgeRatio(`${name}: ${ratio.toFixed(2)} of the floor`, ratio, target),
    judgeTime(`${name}: p99 at half load`, half.p99Ms, HALF_LOAD_P99_MS),
  ];
}

export function judgeRules({ name, check }: CardTiming): Verdict {
  return judgeTime(`${name}: median of the rules`, check.p50Ms, CARD_RULES_P50_MS);
}

export function judgeLive({ name, p99Ms }: StreamFigures): Verdict {
  return judgeTime(`${name}: p99 from the answer to the stream`, p99Ms, LIVE_P99_MS);
}

/** Null for a service that is held to nothing. */
export function judgeDrain({ name, ratio: { median } }: DrainSummary): Verdict | null {
  if (name !== "embedded") return null;
  return judgeRatio(`${name}: ${median.toFixed(2)} of the bare loop`, median, DRAIN_TARGET);
}

export function judgeReceipts({ name, p95Ms }: ServiceLatency): Verdict {
  return judgeTime(`${name}: p95 from the answer to the receipt`, p95Ms, RECEIPT_P95_MS);
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

/** Times move too much from run to run to fail one. */
function judgeTime(what: string, ms: number, promisedMs: number): Verdict {
  const standing = ms < promisedMs ? "kept" : "not kept";
  return { line: `${what} ${ms.toFixed(2)} ms (promised below ${promisedMs} ms): ${standing}`, failed: false };
}
