import type { KnownItems, SaidChanges } from "./said-store.ts";

/** What a member that is left out stands for: it counts only once a file has said otherwise. */
export class ByDefault<Value> {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}

/** What a file says of an entity; what it leaves out is undefined. */
export type Given<Fields> = { [Name in keyof Fields]?: Fields[Name] | ByDefault<Fields[Name]> | undefined };

/** Marks what was there before anything was known of what files say. */
const INHERITED = "";

/**
 * What is said of one entity, held against what was said when it was last applied. Its items are its own fields and the
 * members of its lists, each by itself, so that one which changes brings back nothing else.
 */
export class Said {
  readonly entity: string;
  readonly #known: KnownItems;
  readonly #next = new Map<string, string | null>();
  readonly #fingerprint: (text: string) => string;
  #countsAnew: boolean;

  /** @param parts.isForced everything is news. */
  constructor(
    entity: string,
    parts: { known: KnownItems | undefined; fingerprint: (text: string) => string; isForced: boolean },
  ) {
    this.entity = entity;
    this.#known = parts.known ?? new Map();
    this.#fingerprint = parts.fingerprint;
    this.#countsAnew = parts.isForced;
    if (this.#known.has(INHERITED)) this.#next.set(INHERITED, null);
  }

  /** Nobody knows what was said of it before: what there is of it is taken as applied. */
  get isInherited(): boolean {
    return this.#known.has(INHERITED) && !this.#countsAnew;
  }

  /** Whether it was said of the item, when it was last applied, what it is. */
  knows(item: string): boolean {
    return this.#known.has(item);
  }

  /** Whether this is what was last said of the item. */
  wasSaid(item: string, value: unknown): boolean {
    return this.#known.get(item) === this.#hashOf(item, value);
  }

  /** Whether the item is to be made what is said. */
  isNews(item: string, value: unknown): boolean {
    if (value === undefined) return false;
    if (this.#countsAnew) return true;
    if (this.isInherited || (value instanceof ByDefault && !this.knows(item))) return false;
    return !this.wasSaid(item, saidValue(value));
  }

  /** Whether anything has to be looked at: one of the fields is news, or nobody knows what it was. */
  hasNews(fields: object): boolean {
    return this.isInherited || Object.entries(fields).some(([item, value]) => this.isNews(item, value));
  }

  /** Keeps what is said of the item. What counts by default is kept where something else was said, or all is new. */
  note(item: string, value: unknown): void {
    if (value === undefined || (value instanceof ByDefault && !this.knows(item) && !this.#countsAnew)) return;
    const hash = this.#hashOf(item, saidValue(value));
    if (this.#known.get(item) === hash) this.#next.delete(item);
    else this.#next.set(item, hash);
  }

  /** The same for several. */
  noteAll(fields: object): void {
    for (const [item, value] of Object.entries(fields)) this.note(item, value);
  }

  /** Has the item be news when it is said again. */
  forget(item: string): void {
    if (this.knows(item)) this.#next.set(item, null);
  }

  /** The members that were said of a list. */
  membersOf(list: string): string[] {
    const prefix = memberItem(list, "");
    return [...this.#known.keys()].filter((item) => item.startsWith(prefix)).map((item) => item.slice(prefix.length));
  }

  /** There is no such entity (any more): all that is said of it is news. */
  beginAnew(): void {
    this.#countsAnew = true;
  }

  /** What is to be written; null when that is nothing. */
  changes(): SaidChanges | null {
    return this.#next.size === 0 ? null : { entity: this.entity, items: this.#next };
  }

  #hashOf(item: string, value: unknown): string {
    return this.#fingerprint(JSON.stringify([this.entity, item, value]));
  }
}

/** The item that a member of a list is. */
export function memberItem(list: string, member: string): string {
  return `${list}/${member}`;
}

/** What a field is to be, whether it is said or counts by default. */
export function saidValue<Value>(given: Value | ByDefault<Value>): Value {
  return given instanceof ByDefault ? given.value : given;
}
