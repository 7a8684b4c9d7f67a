import { type CpuInfo, cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** What each processor has done since the machine started, in milliseconds. */
type Times = readonly Pick<CpuInfo, "times">[];

/** How busy the machine's processors are, whoever uses them. */
export class ProcessorUse {
  readonly #read: () => Times;
  #before: Sum;

  constructor(read: () => Times = cpus) {
    this.#read = read;
    this.#before = sumOf(read());
  }

  /** The part of their time, 0 to 1, for which the processors had nothing to do since this was made or last called. */
  idleShare(): number {
    const now = sumOf(this.#read());
    const { idleMs, allMs } = this.#before;
    this.#before = now;
    return now.allMs > allMs ? (now.idleMs - idleMs) / (now.allMs - allMs) : 0;
  }
}

/** Long enough for a file that has just begun to show. */
const LOOKED_AT_FOR_MS = 3_000;
/** Of two processors, most of one. */
const IDLE_SHARE = 0.4;

/** Waits until a good part of the processors has been idle for some seconds. Resolves with false when aborted before. */
export async function untilProcessorsIdle(
  signal: AbortSignal,
  use = new ProcessorUse(),
  forMs = LOOKED_AT_FOR_MS,
): Promise<boolean> {
  while (!signal.aborted) {
    await sleep(forMs, undefined, { signal }).catch(() => {});
    if (use.idleShare() >= IDLE_SHARE) break;
  }
  return !signal.aborted;
}

interface Sum {
  idleMs: number;
  allMs: number;
}

function sumOf(processors: Times): Sum {
  const sum = { idleMs: 0, allMs: 0 };
  for (const { times } of processors) {
    const { user, nice, sys, idle, irq } = times;
    sum.idleMs += idle;
    sum.allMs += user + nice + sys + idle + irq;
  }
  return sum;
}
