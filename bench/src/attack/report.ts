import type { Report } from "../report/report.ts";
import type { Verdict } from "../report/targets.ts";
import type { Effort } from "./attacker.ts";
import type { AttackResult, AttackSetup, Fared } from "./measure.ts";

/** The factor by which an attack may lengthen a well-behaved caller's 99th percentile. */
const P99_RATIO_MAX = 3;
/** Below this, a ratio says more about the machine than about the service. */
const P99_FELT_MS = 20;
const WORST_MS_MAX = 1_000;
const MEMORY_BYTES_MAX = 400 * 1_000_000;

const HEAD = [
  "attack",
  "engine",
  "caller",
  "calm p99 ms",
  "p99 ms",
  "ratio",
  "worst ms",
  "failed",
  "peak MB",
  "attack a second",
];

/** Reports the effects of attacks, and whether they are within the bounds. */
export function reportAttacks(results: AttackResult[], { seconds, realTime }: AttackSetup, skipped: string[]): Report {
  return {
    title: `Well-behaved callers without and during attacks: ${seconds} s calm, ${seconds} s attacked`,
    setting: [
      realTime
        ? "every process runs on any core, before all other work on the machine (SCHED_RR); the attacker comes last of them"
        : "every process runs on any core; the attacker gets only idle processor time (SCHED_IDLE, if chrt is available)",
    ],
    rows: [HEAD, ...results.flatMap((result) => result.callers.map((caller) => rowOf(result, caller)))],
    remarks: [...skipped.map((line) => `SKIPPED ${line}`), ...results.flatMap(remarksOf)],
    verdicts: results.flatMap(judge),
  };
}

function rowOf({ scenario, engine, peakMemoryBytes, effort }: AttackResult, { name, calm, attacked }: Fared): string[] {
  return [
    scenario,
    engine,
    name,
    calm.p99Ms.toFixed(1),
    attacked.p99Ms.toFixed(1),
    (attacked.p99Ms / calm.p99Ms).toFixed(1),
    attacked.worstMs.toFixed(0),
    `${attacked.failed} of ${attacked.calls}`,
    peakMemoryBytes === null ? "?" : (peakMemoryBytes / 1_000_000).toFixed(0),
    rateOf(effort),
  ];
}

/** The attack's main action per second: figures measured during a slower attack are not comparable. */
function rateOf({ deeds, seconds }: Effort): string {
  const [[name, count] = ["", 0]] = Object.entries(deeds);
  const rate = count / seconds;
  return `${rate.toFixed(rate < 100 ? 1 : 0)} ${name}`;
}

function remarksOf({ scenario, engine, effort, serviceCores, callers }: AttackResult): string[] {
  const done = Object.entries(effort.deeds).map(([name, count]) => `${count} ${name}`);
  const attackersCores = effort.cpuSeconds === null ? null : effort.cpuSeconds / effort.seconds;
  const cores = `${coresOf(attackersCores)}, the service ${coresOf(serviceCores)}`;
  const failures = callers.flatMap(({ name, attacked: { failure } }) =>
    failure === null ? [] : [`${scenario}, ${engine}: a ${name} was answered with ${failure.slice(0, 500)}`],
  );
  return [`${scenario}, ${engine}: the attacker did ${done.join(", ")}, and took ${cores}`, ...failures];
}

function coresOf(cores: number | null): string {
  return cores === null ? "an unknown part of the cores" : `${cores.toFixed(2)} cores`;
}

function judge({ scenario, engine, callers, peakMemoryBytes }: AttackResult): Verdict[] {
  const where = `${scenario}, ${engine}`;
  const times = callers.flatMap(({ name, calm, attacked }) => [
    judgeRatio(`${where}: a ${name}'s p99`, calm.p99Ms, attacked.p99Ms),
    verdict(
      `${where}: a ${name} took at most ${attacked.worstMs.toFixed(0)} ms`,
      "1 s",
      attacked.worstMs < WORST_MS_MAX,
    ),
  ]);
  if (peakMemoryBytes === null) return times;
  const megabytes = (peakMemoryBytes / 1_000_000).toFixed(0);
  return [...times, verdict(`${where}: ${megabytes} MB at most`, "400 MB", peakMemoryBytes < MEMORY_BYTES_MAX)];
}

function judgeRatio(what: string, calmMs: number, attackedMs: number): Verdict {
  const ratio = attackedMs / calmMs;
  const standing =
    ratio <= P99_RATIO_MAX ? "kept" : attackedMs < P99_FELT_MS ? "not kept, but too short to be noticed" : "NOT KEPT";
  return {
    line: `${what} ${attackedMs.toFixed(1)} ms, ${ratio.toFixed(1)} times the calm one (promised ${P99_RATIO_MAX}): ${standing}`,
    failed: standing === "NOT KEPT",
  };
}

function verdict(what: string, promised: string, isKept: boolean): Verdict {
  return { line: `${what} (promised below ${promised}): ${isKept ? "kept" : "NOT KEPT"}`, failed: !isKept };
}
