import type { Circuits } from "./circuit.ts";
import type { SignIns } from "./sign-ins.ts";

/** How much an application may call. */
export interface QuotaLimits {
  perMinute: number;
  perDay: number;
  concurrent: number;
}

/** The minute window as the `X-RateLimit-*` headers show it. */
export interface MinuteWindow {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** What became of a call's request for a place in the quotas. */
export type Admission =
  | { admitted: true; lease: string; minute: MinuteWindow }
  | (Overrun & { admitted: false; minute: MinuteWindow })
  /** There was room; nothing was counted, because the call asked only for a check. */
  | { admitted: false; exceeded: null; minute: MinuteWindow };

/** A quota that is used up. */
export interface Overrun {
  exceeded: "minute" | "day" | "concurrent";
  /** How much of it is used. */
  used: number;
  /** When its window ends, in epoch milliseconds; null for concurrency. */
  resetAt: number | null;
  retryAfterSeconds: number;
}

/** A call that asks for a place. */
export interface AdmissionRequest {
  appId: string;
  limits: QuotaLimits;
  /** Milliseconds since the epoch. */
  now: number;
  /** Whether the call takes no place, since it is refused for another reason; what is left of the quotas it is told. */
  takesNone: boolean;
  /** How many calls of this UTC day the database knows of; asked only when the counter has been forgotten. */
  loadDayUsage(day: number): Promise<number>;
}

/**
 * What processes have to agree on and may forget. One implementation lives in memory for the embedded service, the
 * other in Redis; both count exactly.
 */
export interface Coordination {
  /** The circuits of webhook deliveries. */
  readonly circuits: Circuits;
  /** Failed sign-ins of members and developers. */
  readonly signIns: SignIns;
  /** Takes one place in the minute, the day and the concurrency quota, or in none of them. */
  admit(request: AdmissionRequest): Admission | Promise<Admission>;
  /** Gives back the concurrency place of an admitted call. Never fails; a lost one comes back when its lease ends. */
  release(appId: string, lease: string): void;
  /** Publishes a message to every other process. Never rejects; messages may be lost, repeated or late. */
  publish(channel: string, message: string): void;
  /** Has `listener` told what other processes publish on `channel`. */
  subscribe(channel: string, listener: (message: string) => void): void;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Whole UTC days since the epoch. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** Seconds until the window of `lengthMs` that `now` lies in ends; at least 1. */
export function secondsToNext(now: number, lengthMs: number): number {
  return Math.ceil((lengthMs - (now % lengthMs)) / 1_000);
}

/** What a call that comes at `now` is told of a quota that is used up. */
export function overrun(exceeded: Overrun["exceeded"], used: number, now: number): Overrun {
  if (exceeded === "concurrent") return { exceeded, used, resetAt: null, retryAfterSeconds: 1 };
  const lengthMs = exceeded === "minute" ? MINUTE_MS : DAY_MS;
  const resetAt = now - (now % lengthMs) + lengthMs;
  return { exceeded, used, resetAt, retryAfterSeconds: secondsToNext(now, lengthMs) };
}
