/** Something that a file has changed, or would change. */
export interface AppliedChange {
  /** For example `app:app_ci`. */
  entity: string;
  /** A field of its own or a member of a list, for example `quota.perDay` or `members/u_bob`; empty: the entity itself. */
  item: string;
  /** As it was, true for what has no value; undefined where there was nothing. Never a secret. */
  before?: unknown;
  /** As it is, the same way; undefined where there is nothing any more. Never a secret. */
  after?: unknown;
}

/** Something that a file says and that was not applied. */
export interface SkippedItem {
  entity: string;
  item: string;
  /** Why. */
  reason: string;
}

/** Why a credential is left out. */
export const REVOKED = "it was revoked; only --force brings it back";
/** Why something of an upgraded store is left as it is. */
export const UNKNOWN_BEFORE =
  "it differs, and nobody knows whether the file or people came last: what earlier versions applied was not recorded";

/** What became of a file's items: the fields of its entities and the members of their lists. */
export class ProvisionReport {
  /** How many entities of each kind the file holds. */
  readonly entities: Readonly<Record<string, number>>;
  readonly changes: AppliedChange[] = [];
  readonly skipped: SkippedItem[] = [];
  /** How many items were made what the file says. */
  applied = 0;
  /** How many were so already, or were applied before and are left to people. */
  unchanged = 0;
  /** How many entities came from a version that did not record what files say; they were taken as applied. */
  inherited = 0;

  constructor(entities: Readonly<Record<string, number>>) {
    this.entities = entities;
  }

  /** @param items how many items the change makes what they are said to be. */
  change(change: AppliedChange, items = 1): void {
    this.changes.push(change);
    this.applied += items;
  }

  skip(entity: string, item: string, reason: string): void {
    this.skipped.push({ entity, item, reason });
  }
}
