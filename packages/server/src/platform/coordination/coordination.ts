import type { Circuits } from "./circuit.ts";
import type { SignIns } from "./sign-ins.ts";

/** The quota of an application. */
export interface QuotaLimits {
  perMinute: number;
  perDay: number;
  concurrent: number;
}

/** The minute window, as in the `X-RateLimit-*` headers. */
export interface MinuteWindow {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** What messages are about: something of a kind, by its key. */
export interface Topic {
  /** Letters and hyphens. */
  kind: string;
  key: string;
}

/**
 * Messages to the processes that follow a topic, so that what happens costs nothing where nobody watches it. They may be
 * lost, repeated or late.
 */
export interface Topics {
  /** Publishes a message on a topic. Never rejects. */
  tell(topic: Topic, message: string): void;
  /** Calls `listener` with the key and text of messages on followed topics of this kind; its own come back to a process. */
  hear(kind: string, listener: (key: string, message: string) => void): void;
  /**
   * Begins to follow topics. Resolves when no later message can be missed, or at once while the other processes cannot be
   * reached. Never rejects.
   */
  follow(kind: string, keys: readonly string[]): Promise<void>;
  /** Ends that. */
  unfollow(kind: string, keys: readonly string[]): void;
  /** Calls `listener` when messages have been missed and none are any longer. */
  onGap(listener: () => void): void;
}

/** The result of an {@link AdmissionRequest}. */
export type Admission =
  | { admitted: true; lease: string; counter: DayCounter; minute: MinuteWindow }
  | (Overrun & { admitted: false; minute: MinuteWindow })
  /** Not exceeded and not counted, because the call requested only a check. */
  | { admitted: false; exceeded: null; minute: MinuteWindow };

/** Names the counter of an application's day that counted a call. Another one takes its place when it is lost. */
export type DayCounter = string;

/** Admitted calls that the database has recorded. */
export interface RecordedCalls {
  appId: string;
  day: number;
  /** The counter that counted them. */
  counter: DayCounter;
  calls: number;
  /** What the database has of the application's day since, these included. */
  recorded: number;
}

/** An exceeded quota. */
export interface Overrun {
  exceeded: "minute" | "day" | "concurrent";
  /** The used amount. */
  used: number;
  /** The end of its window in epoch milliseconds; null for concurrency. */
  resetAt: number | null;
  retryAfterSeconds: number;
}

/** A call's request to be counted against the quotas. */
export interface AdmissionRequest {
  appId: string;
  limits: QuotaLimits;
  /** Milliseconds since the epoch. */
  now: number;
  /** True for a call that is refused for another reason: it is not counted, but its answer has the remaining quota. */
  checkOnly: boolean;
  /** Resolves when the database has counted all calls that are committed; called only when the counter was lost. */
  gatherUsage(): Promise<void>;
  /** The number of the application's calls on this UTC day in the database; called only after that. */
  loadDayUsage(day: number): Promise<number>;
}

/**
 * State that all processes share and that may be lost. Implemented in memory for the embedded service, and in Redis;
 * both count exactly.
 */
export interface Coordination {
  /** The circuits of webhook deliveries. */
  readonly circuits: Circuits;
  /** Failed sign-ins of members and developers. */
  readonly signIns: SignIns;
  /** Counts a call against the minute, the day and the concurrency quota, or against none of them. */
  admit(request: AdmissionRequest): Admission | Promise<Admission>;
  /**
   * Tells that the database has recorded calls. When their counter was lost before, and the one in its place began
   * without them, they are added to that.
   *
   * @returns false when nobody can know yet: tell it again later. Never rejects.
   */
  recorded(calls: RecordedCalls): Promise<boolean>;
  /** Whether a counter that has counted a call is certainly there still; false when nobody can know without asking. */
  isKept(counter: DayCounter): boolean;
  /** Whether the counter that has counted a call is still the one of that day; asks, where it is not certain. */
  stillCounts(call: { appId: string; day: number; counter: DayCounter }): Promise<boolean>;
  /** Ends the concurrency of an admitted call. Never rejects; when it is lost, the lease expires. */
  release(appId: string, lease: string): void;
  /** Publishes a message to every other process. Never rejects; messages may be lost, repeated or late. */
  publish(channel: string, message: string): void;
  /** Calls `listener` with messages that other processes publish on `channel`. */
  subscribe(channel: string, listener: (message: string) => void): void;
  /** Messages to those processes only that follow what they are about. */
  readonly topics: Topics;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** The number of the UTC day since the epoch. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** Seconds until the end of the current window of `lengthMs`; at least 1. */
export function secondsToNext(now: number, lengthMs: number): number {
  return Math.ceil((lengthMs - (now % lengthMs)) / 1_000);
}

/** The values of an exceeded quota for the answer to a call at `now`. */
export function overrun(exceeded: Overrun["exceeded"], used: number, now: number): Overrun {
  if (exceeded === "concurrent") return { exceeded, used, resetAt: null, retryAfterSeconds: 1 };
  const lengthMs = exceeded === "minute" ? MINUTE_MS : DAY_MS;
  const resetAt = now - (now % lengthMs) + lengthMs;
  return { exceeded, used, resetAt, retryAfterSeconds: secondsToNext(now, lengthMs) };
}
