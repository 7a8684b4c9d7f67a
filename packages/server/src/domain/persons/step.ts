import type { ErasedOfMember } from "@portico/protocol/schemas";
import type { Db } from "../../platform/storage/schema.ts";
import type { DeskParts } from "../customer-service/at-desk.ts";

/** By what a person is known in records that are not theirs. */
export interface Searched {
  username: string;
  name: string;
  phone: string | null;
}

/** A member who is erased. */
export interface ErasedPerson {
  userId: string;
  tenantId: string;
  searched: Searched;
  /** The entry of the audit log that tells of the erasure. */
  erasedBy: number;
  /** When the username became free: what is of later may be of somebody new. */
  startedAt: number;
}

/** The result of a unit of work. */
export interface Outcome {
  /** To be added to what has been erased. */
  erased?: Partial<ErasedOfMember>;
  /** Conversations of others that have changed, each up to a `msgSeq`. */
  changed?: readonly { conversationKey: string; msgSeq: number }[];
}

/** A unit of work: repeated, it changes nothing. */
export type Work = (tx: Db) => Promise<Outcome>;

/** The parts of an erasure, in their order. */
export const STEP_NAMES = [
  "desks",
  "marks",
  "open-ids",
  "union-ids",
  "messages",
  "card-actions",
  "agent-names",
  "closers",
  "deliveries",
  "requests",
  "audit",
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/**
 * A part of an erasure, from a position on (empty at first): what is to be done for the rows that it has looked at, and from
 * where it goes on; null when that is all.
 */
export type Step = (
  parts: DeskParts,
  person: ErasedPerson,
  position: string,
) => Promise<{ work: readonly Work[]; next: string | null }>;
