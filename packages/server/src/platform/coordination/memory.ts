import type { CircuitRules } from "./circuit.ts";
import {
  type Admission,
  type AdmissionRequest,
  type Coordination,
  dayOf,
  MINUTE_MS,
  overrun,
  secondsToNext,
  type Topics,
} from "./coordination.ts";
import { MemoryCircuits } from "./memory-circuits.ts";
import { MemorySignIns } from "./memory-sign-ins.ts";

/** There is no other process. */
const NO_TOPICS: Topics = {
  tell() {},
  hear() {},
  async follow() {},
  unfollow() {},
  onGap() {},
};

interface Usage {
  minute: number;
  minuteUsed: number;
  day: number;
  dayUsed: number;
  running: number;
}

/** Coordination within one process: one small record per application that has made calls. */
export class MemoryCoordination implements Coordination {
  readonly circuits: MemoryCircuits;
  readonly signIns = new MemorySignIns();
  readonly topics = NO_TOPICS;
  readonly #usage = new Map<string, Usage>();

  constructor(rules: CircuitRules) {
    this.circuits = new MemoryCircuits(rules);
  }

  admit(request: AdmissionRequest): Admission | Promise<Admission> {
    const usage = this.#usage.get(request.appId);
    return usage?.day === dayOf(request.now)
      ? admitTo(usage, request)
      : this.#load(request).then((loaded) => admitTo(loaded, request));
  }

  /** Nothing of it can be lost before the process. */
  async recorded(): Promise<boolean> {
    return true;
  }

  isKept(): boolean {
    return true;
  }

  async stillCounts(): Promise<boolean> {
    return true;
  }

  release(appId: string): void {
    const usage = this.#usage.get(appId);
    if (usage !== undefined) usage.running--;
  }

  /** Does nothing: there is no other process. */
  publish(): void {}
  subscribe(): void {}

  async ping(): Promise<void> {}
  async close(): Promise<void> {}

  /** The counter of another day is loaded, not reset: the clock may have been set to that day before. */
  async #load({ appId, now, loadDayUsage }: AdmissionRequest): Promise<Usage> {
    const day = dayOf(now);
    const dayUsed = await loadDayUsage(day);
    const usage = this.#usage.get(appId) ?? { minute: 0, minuteUsed: 0, day, dayUsed, running: 0 };
    this.#usage.set(appId, usage);
    return usage.day === day ? usage : Object.assign(usage, { day, dayUsed });
  }
}

function admitTo(usage: Usage, { limits, now, checkOnly }: AdmissionRequest): Admission {
  const minute = Math.floor(now / MINUTE_MS);
  if (usage.minute !== minute) Object.assign(usage, { minute, minuteUsed: 0 });

  const exceeded = exceededBy(usage, limits);
  if (exceeded === null && !checkOnly) {
    usage.minuteUsed++;
    usage.dayUsed++;
    usage.running++;
  }
  const window = {
    limit: limits.perMinute,
    remaining: Math.max(0, limits.perMinute - usage.minuteUsed),
    resetSeconds: secondsToNext(now, MINUTE_MS),
  };
  if (exceeded === null && checkOnly) return { admitted: false, exceeded, minute: window };
  return exceeded === null
    ? { admitted: true, lease: "", counter: "", minute: window }
    : { admitted: false, ...overrun(exceeded, usedOf(usage)[exceeded], now), minute: window };
}

function exceededBy(usage: Usage, limits: AdmissionRequest["limits"]): "minute" | "day" | "concurrent" | null {
  if (usage.minuteUsed >= limits.perMinute) return "minute";
  if (usage.dayUsed >= limits.perDay) return "day";
  return usage.running >= limits.concurrent ? "concurrent" : null;
}

function usedOf({ minuteUsed, dayUsed, running }: Usage) {
  return { minute: minuteUsed, day: dayUsed, concurrent: running };
}
