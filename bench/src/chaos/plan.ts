import type { Fault } from "./faults/index.ts";
import type { Random } from "./random.ts";

/** A fault at a time of a run. */
export interface PlannedFault {
  fault: Fault;
  /** Milliseconds after the beginning of the load. */
  atMs: number;
  /** How long the fault lasts. */
  forMs: number;
  /** Decides the details, such as which process is hit. */
  random: Random;
}

/** The quiet time before the first fault, in which everything must succeed. */
const CALM_MS = 2_000;
/** The pause between the end of a fault and the next: mostly short, so that faults meet a service that still recovers, */
const PAUSE_MS: [number, number] = [300, 4_000];
/** and at times long enough for calm, in which every call must succeed. */
const REST_MS: [number, number] = [12_000, 16_000];
const RESTS = 0.15;

/**
 * The faults of a run, in order, one at a time. Each fault comes once before any comes a second time, so that a long
 * enough run has all of them whatever the seed is.
 */
export function planFaults(faults: readonly Fault[], seconds: number, random: Random): PlannedFault[] {
  const planned: PlannedFault[] = [];
  let rest: Fault[] = [];
  for (let atMs = CALM_MS; faults.length > 0; ) {
    if (rest.length === 0) rest = [...faults];
    const fault = random.pick(rest);
    rest = rest.filter((each) => each !== fault);
    const forMs = random.between(...fault.durationMs);
    if (atMs + forMs > seconds * 1_000) break;
    planned.push({ fault, atMs, forMs, random: random.fork(`fault ${planned.length}`) });
    atMs += forMs + random.between(...(random.chance(RESTS) ? REST_MS : PAUSE_MS));
  }
  return planned;
}
