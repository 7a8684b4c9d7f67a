import { layOut } from "../report/table.ts";
import type { ChaosOptions } from "./options.ts";
import type { ChaosResult } from "./run.ts";

/** The result of a run as text for people. */
export function reportChaos(result: ChaosResult, { seed, processes }: ChaosOptions): string {
  const { engine, seconds, faults, skipped, loads, acknowledged, found, violations, violationCount } = result;
  const of = engine === "distributed" ? `, ${processes} processes` : "";
  const loadRows = loads.map(({ name, succeeded, failed }) => [name, String(succeeded), String(failed)]);
  const faultRows = faults.map(({ name, times, worstRecoveryMs }) => [name, String(times), String(worstRecoveryMs)]);
  const more = violationCount - violations.length;
  return [
    `${engine}${of}: ${seconds} s of load, seed ${seed}`,
    "",
    layOut([["fault", "times", "worst recovery ms"], ...faultRows]),
    ...skipped.map((line) => `SKIPPED ${line}`),
    "",
    layOut([["load", "succeeded", "failed"], ...loadRows]),
    "",
    `${acknowledged} messages acknowledged, ${found.messages} found; ${found.events} events received, ${found.repeatedEvents} receipts repeated`,
    ...violations.map((violation) => `BROKEN ${violation}`),
    ...(more > 0 ? [`BROKEN ${more} more`] : []),
    violationCount === 0
      ? "Every promise held."
      : `${violationCount} promises broken; repeat with: ${commandFor(result, { seed, processes })}`,
    "",
  ].join("\n");
}

function commandFor({ engine, seconds }: ChaosResult, { seed, processes }: Pick<ChaosOptions, "seed" | "processes">) {
  const count = engine === "distributed" ? ` --processes ${processes}` : "";
  return `npm run chaos -- --engine ${engine} --seconds ${seconds} --seed ${seed}${count}`;
}
