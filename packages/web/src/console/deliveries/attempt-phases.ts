import type { Attempt } from "./delivery-queries.ts";

/** The phases of an attempt, in their order. "wait" ends with the first byte of the answer, "body" with the last. */
export const PHASES = ["dns", "connect", "tls", "wait", "body"] as const;
export type Phase = (typeof PHASES)[number];

/** What says where the time of an attempt went: of a delivery, or of a verification. */
export type TimedAttempt = Pick<Attempt, "address" | "phases" | "status" | "reason" | "durationMs">;

/** How long a phase took, in milliseconds, and whether the attempt failed in it. */
export interface PhaseTime {
  phase: Phase;
  ms: number;
  failed: boolean;
}

/**
 * Where the time of an attempt went. The service measures the phases that were completed; what is left of the whole
 * belongs to the one in which the attempt ended.
 */
export function phasesOf({ phases, status, reason, durationMs }: TimedAttempt): PhaseTime[] {
  const times = new Map(PHASES.map((phase) => [phase, measured(phases, MEMBERS[phase])]));
  const known = [...times.values()].reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
  const last = status === null ? failedIn(times, reason ?? "") : "body";
  times.set(last, (times.get(last) ?? 0) + Math.max(0, durationMs - known));
  return PHASES.flatMap((phase) => {
    const ms = times.get(phase) ?? null;
    return ms === null ? [] : [{ phase, ms, failed: status === null && phase === last }];
  });
}

/** Whether the attempt went over a connection that was open already: it has an address that nobody looked up. */
export function isKept({ address, phases }: TimedAttempt): boolean {
  return address !== null && measured(phases, "dnsMs") === null;
}

/** The members in which the service tells the phases; what is left for the body it does not. */
const MEMBERS: Record<Phase, string> = {
  dns: "dnsMs",
  connect: "connectMs",
  tls: "tlsMs",
  wait: "firstByteMs",
  body: "",
};

function measured(phases: unknown, member: string): number | null {
  if (typeof phases !== "object" || phases === null) return null;
  const value = Object.entries(phases).find(([name]) => name === member)?.[1];
  return typeof value === "number" ? value : null;
}

const BEFORE_SENDING = ["dns", "connect", "tls"] as const;

/** The phase in which an attempt without an answer ended. */
function failedIn(times: ReadonlyMap<Phase, number | null>, reason: string): Phase {
  if (reason === "dns" || reason.startsWith("refused-address")) return "dns";
  if (reason === "tls") return "tls";
  if (SENT.has(reason)) return times.get("wait") === null ? "wait" : "body";
  const isOpening = OPENING.has(reason) || times.get("dns") !== null;
  const open = BEFORE_SENDING.find((phase) => times.get(phase) === null);
  if (isOpening && open !== undefined) return open;
  return times.get("wait") === null ? "wait" : "body";
}

/** Reasons of attempts that got no connection. */
const OPENING = new Set(["connect-timeout", "connection-refused", "unreachable"]);

/** Reasons of attempts whose request was sent, without TLS too. */
const SENT = new Set(["read-timeout", "bad-response"]);
