import { setTimeout as sleep } from "node:timers/promises";
import { type Quantiles, quantilesOf } from "../load/latencies.ts";

/** The measurements of a well-behaved caller. */
export interface ProbeFigures extends Quantiles {
  calls: number;
  /** Calls that were refused or not answered. */
  failed: number;
  /** The error of the first of them. */
  failure: string | null;
}

/**
 * Makes `call` at an even rate for `seconds`, without waiting for earlier calls. Latency counts from the time at which
 * a call was due, so that a stall of the service counts for every call that it delays.
 */
export async function probe(
  call: (index: number) => Promise<void>,
  perSecond: number,
  seconds: number,
): Promise<ProbeFigures> {
  const startedMs = performance.now();
  const timesMs: number[] = [];
  let failed = 0;
  let failure: string | null = null;
  const calls = Array.from({ length: Math.ceil(perSecond * seconds) }, async (_, index) => {
    const dueMs = startedMs + (index * 1_000) / perSecond;
    await sleep(Math.max(0, dueMs - performance.now()));
    try {
      await call(index);
    } catch (error) {
      failed++;
      failure ??= error instanceof Error ? error.message : String(error);
    }
    timesMs.push(performance.now() - dueMs);
  });
  await Promise.all(calls);
  return { calls: calls.length, failed, failure, ...quantilesOf(timesMs) };
}
