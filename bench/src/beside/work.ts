import type { Requests } from "../load/signed-requests.ts";
import type { Phase } from "../phase.ts";

/** A kind of send, compared with signed sends of a bot to the same service. */
export interface SendWork {
  name: string;
  /** The share of the signed sends' rate that is promised. */
  promised: number;
  /**
   * The rate at which both are made, for calls that the service does not take at full load: then their processor time is
   * compared. Null for full load.
   */
  perSecond: number | null;
  requests(count: number): Requests;
}

/** A kind of read, compared with a bare server that has the same answer. */
export interface ReadWork {
  name: string;
  /** The share of the bare server's rate that is promised. */
  promised: number;
  /** The path with its query. */
  target: string;
  requests(count: number): Requests;
}

/** What is asked of a service. */
export interface Works {
  sends: SendWork[];
  reads: ReadWork[];
  /** The secret that signs reads; empty when none is signed. */
  secret: string;
  /** Whether an answer is a success. */
  succeeds(answer: Buffer): boolean;
}

/** What one round showed of one kind of call. */
export interface WorkRound {
  phase: Phase;
  /** What it is compared with: signed sends, or the bare server. */
  base: Phase;
}

/** All rounds of one kind of call. */
export interface WorkFigures {
  name: string;
  promised: number;
  beside: "signed sends" | "a bare server";
  /** The rate of both; null for full load. */
  pacedPerSecond: number | null;
  rounds: WorkRound[];
}

/** The share of what it is compared with: of its rate, or, at the same rate, its processor time as a share of this one's. */
export function shareOf({ pacedPerSecond }: Pick<WorkFigures, "pacedPerSecond">, { phase, base }: WorkRound): number {
  if (pacedPerSecond === null) return phase.perSecond / base.perSecond;
  return (base.serverCpuMsPerCall ?? Number.NaN) / (phase.serverCpuMsPerCall ?? Number.NaN);
}
