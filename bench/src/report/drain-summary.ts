import type { WebhookResult } from "../webhook/compare-webhook.ts";
import type { Drain } from "../webhook/drain.ts";
import { medianOfKnown, type Spread, spreadOf } from "./spread.ts";

/** One drainer's figures over all rounds; null when the system does not report them. */
export interface DrainSummary {
  name: string;
  perSecond: Spread;
  /** The ratio to the bare loop's rate, computed per round. */
  ratio: Spread;
  cpuMsPerEvent: number | null;
  receiverCpu: number;
}

/** Summarises `drains`, the first of which is the bare loop's. */
export function summarizeDrains(drains: WebhookResult["drains"]): DrainSummary[] {
  const yardstick = drains[0]?.rounds ?? [];
  const ratioOf = ({ perSecond }: Drain, index: number) => perSecond / (yardstick[index]?.perSecond ?? Number.NaN);
  return drains.map(({ name, rounds }) => ({
    name,
    perSecond: spreadOf(rounds.map(({ perSecond }) => perSecond)),
    ratio: spreadOf(rounds.map(ratioOf)),
    cpuMsPerEvent: medianOfKnown(rounds.map(({ cpuMsPerEvent }) => cpuMsPerEvent)),
    receiverCpu: spreadOf(rounds.map(({ receiverCpu }) => receiverCpu)).median,
  }));
}
