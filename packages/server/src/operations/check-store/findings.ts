/** Where something was found. */
export type FindingKind = "database" | "key" | "conversation" | "visitor" | "member" | "search" | "audit" | "file";

/** Something that does not hold together. */
export interface Finding {
  kind: FindingKind;
  /** What has it: an id, or a name. */
  of: string;
  problem: string;
}

/** The result of a check of the store. */
export interface StoreReport {
  conversations: number;
  messages: number;
  visitors: number;
  /** Entries of the audit log that are in its chain. */
  auditEntries: number;
  /** Where that chain ends: `POSITION:HASH`, to be noted elsewhere and given to a later check. */
  auditEnd: string;
  files: number;
  /** Of files whose content was read. */
  bytes: number;
  /** The first hundred. */
  findings: Finding[];
  /** Of all. */
  findingCount: number;
}

/** The most findings that are kept; a store with more is not mended one by one. */
const MOST_KEPT = 100;

/** Collects what a check finds, and counts what it looked at. */
export class Findings {
  readonly #kept: Finding[] = [];
  readonly counts = { conversations: 0, messages: 0, visitors: 0, auditEntries: 0, files: 0, bytes: 0 };
  auditEnd = "";
  #count = 0;

  add(kind: FindingKind, of: string, problem: string): void {
    this.#count++;
    if (this.#kept.length < MOST_KEPT) this.#kept.push({ kind, of, problem });
  }

  report(): StoreReport {
    return { ...this.counts, auditEnd: this.auditEnd, findings: this.#kept, findingCount: this.#count };
  }
}
