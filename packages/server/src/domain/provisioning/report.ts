/** A change that a file makes, or would make. */
export interface AppliedChange {
  /** For example `app:app_ci`. */
  entity: string;
  /** A field or a list member, for example `quota.perDay` or `members/u_bob`; empty for the entity itself. */
  item: string;
  /** The previous value, true for something without a value; undefined when there was nothing. Never a secret. */
  before?: unknown;
  /** The new value, in the same form; undefined when it was removed. Never a secret. */
  after?: unknown;
}

/** Something in a file that was not applied. */
export interface SkippedItem {
  entity: string;
  item: string;
  /** The reason. */
  reason: string;
}

/** Why a credential was skipped. */
const REVOKED = "it was revoked; only --force brings it back";
/** Why an item of an upgraded store was skipped. */
const UNKNOWN_BEFORE =
  "it differs, and nobody knows whether the file or people came last: what earlier versions applied was not recorded";

/** Why a member was skipped. */
const ERASED = "the member was erased, and stays so; take them out of the file";

/** The result of applying a file, counted by items: the fields of its entities and the members of their lists. */
export class ProvisionReport {
  /** The number of entities of each kind in the file. */
  readonly entities: Readonly<Record<string, number>>;
  readonly changes: AppliedChange[] = [];
  readonly skipped: SkippedItem[] = [];
  /** Items that were changed to what the file says. */
  applied = 0;
  /** Items that matched the file already, or were applied before and then left to people. */
  unchanged = 0;
  /** Entities from a version that recorded no fingerprints; they count as applied. */
  inherited = 0;

  constructor(entities: Readonly<Record<string, number>>) {
    this.entities = entities;
  }

  /** @param items how many items the change covers. */
  change(change: AppliedChange, items = 1): void {
    this.changes.push(change);
    this.applied += items;
  }

  /** A credential that people have revoked is left revoked. */
  skipRevoked(entity: string, item: string): void {
    this.skipped.push({ entity, item, reason: REVOKED });
  }

  /** A member who was erased is not brought back, nor is a list's entry that means them. */
  skipErased(entity: string, item = ""): void {
    this.skipped.push({ entity, item, reason: ERASED });
  }

  /** An item of an inherited entity that differs from the file is left as it is. */
  skipInherited(entity: string, item: string): void {
    this.skipped.push({ entity, item, reason: UNKNOWN_BEFORE });
  }
}
