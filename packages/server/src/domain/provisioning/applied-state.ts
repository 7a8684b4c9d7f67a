import type { AppliedChanges, KnownItems } from "./applied-state-store.ts";
import type { Fingerprints } from "./fingerprints.ts";

/** The default of an absent field. It is applied only if an earlier file contained another value. */
export class ByDefault<Value> {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}

/** An entity's fields in a file; undefined when absent. */
export type Given<Fields> = { [Name in keyof Fields]?: Fields[Name] | ByDefault<Fields[Name]> | undefined };

/** Marks an entity that existed before fingerprints were recorded. */
const INHERITED = "";

/**
 * Compares an entity in the file with its fingerprints from when it was last applied. Its items are its fields and the
 * members of its lists. They are compared separately, so that a change of one does not re-apply the others.
 */
export class AppliedState {
  readonly entity: string;
  readonly #known: KnownItems;
  readonly #next = new Map<string, string | null>();
  readonly #fingerprints: Fingerprints;
  #countsAnew: boolean;

  /** @param parts.isForced treats everything as changed. */
  constructor(entity: string, parts: { known: KnownItems | undefined; fingerprints: Fingerprints; isForced: boolean }) {
    this.entity = entity;
    this.#known = parts.known ?? new Map();
    this.#fingerprints = parts.fingerprints;
    this.#countsAnew = parts.isForced;
    if (this.#known.has(INHERITED)) this.#next.set(INHERITED, null);
  }

  /** Whether there are no fingerprints although the entity exists: its present state counts as applied. */
  get isInherited(): boolean {
    return this.#known.has(INHERITED) && !this.#countsAnew;
  }

  /** Whether there is a fingerprint of the item. */
  knows(item: string): boolean {
    return this.#known.has(item);
  }

  /** Whether the item's fingerprint matches this value. */
  wasApplied(item: string, value: unknown): boolean {
    const known = this.#known.get(item);
    return known !== undefined && this.#fingerprints.isOf(known, this.#textOf(item, value));
  }

  /** Whether the item must be applied. */
  hasChanged(item: string, value: unknown): boolean {
    if (value === undefined) return false;
    if (this.#countsAnew) return true;
    if (this.isInherited || (value instanceof ByDefault && !this.knows(item))) return false;
    return !this.wasApplied(item, givenValue(value));
  }

  /** Whether anything must be examined: a field has changed, or there are no fingerprints. */
  hasChanges(fields: object): boolean {
    return this.isInherited || Object.entries(fields).some(([item, value]) => this.hasChanged(item, value));
  }

  /**
   * Records the item's fingerprint. A default is recorded only if another value was recorded before, or the entity is
   * new.
   */
  note(item: string, value: unknown): void {
    if (value === undefined || (value instanceof ByDefault && !this.knows(item) && !this.#countsAnew)) return;
    const given = givenValue(value);
    if (this.wasApplied(item, given)) this.#next.delete(item);
    else this.#next.set(item, this.#fingerprints.of(this.#textOf(item, given)));
  }

  /** {@link note} for several fields. */
  noteAll(fields: object): void {
    for (const [item, value] of Object.entries(fields)) this.note(item, value);
  }

  /** Deletes the item's fingerprint, so that it counts as changed when it appears again. */
  forget(item: string): void {
    if (this.knows(item)) this.#next.set(item, null);
  }

  /** The recorded members of a list. */
  membersOf(list: string): string[] {
    const prefix = memberItem(list, "");
    return [...this.#known.keys()].filter((item) => item.startsWith(prefix)).map((item) => item.slice(prefix.length));
  }

  /** The entity does not exist (any more): everything in the file counts as changed. */
  beginAnew(): void {
    this.#countsAnew = true;
  }

  /** The fingerprints to write; null when there are none. */
  changes(): AppliedChanges | null {
    return this.#next.size === 0 ? null : { entity: this.entity, items: this.#next };
  }

  #textOf(item: string, value: unknown): string {
    return JSON.stringify([this.entity, item, value]);
  }
}

/** The item of a list member. */
export function memberItem(list: string, member: string): string {
  return `${list}/${member}`;
}

/** The value of a field, from the file or by default. */
export function givenValue<Value>(given: Value | ByDefault<Value>): Value {
  return given instanceof ByDefault ? given.value : given;
}
