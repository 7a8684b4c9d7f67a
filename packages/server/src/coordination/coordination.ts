import type { Circuits } from "./circuit.ts";

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
  | { admitted: false; exceeded: "minute" | "day" | "concurrent"; retryAfterSeconds: number; minute: MinuteWindow };

/** A call that asks for a place. */
export interface AdmissionRequest {
  appId: string;
  limits: QuotaLimits;
  /** Milliseconds since the epoch. */
  now: number;
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
  /** Takes one place in the minute, the day and the concurrency quota, or in none of them. */
  admit(request: AdmissionRequest): Admission | Promise<Admission>;
  /** Gives back the concurrency place of an admitted call. Never fails; a lost one comes back when its lease ends. */
  release(appId: string, lease: string): void;
  /** Tells every other process. Never fails; what is told may be lost, repeated or late. */
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

/** How long to wait, in seconds, after each kind of refusal. */
export function retryAfterSeconds(exceeded: "minute" | "day" | "concurrent", now: number): number {
  if (exceeded === "minute") return secondsToNext(now, MINUTE_MS);
  return exceeded === "day" ? secondsToNext(now, DAY_MS) : 1;
}
