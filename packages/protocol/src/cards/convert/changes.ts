/**
 * What a conversion did. "unwrapped": the card stood in something else; "older": it was of the older form; "replaced": a
 * component became another; "dropped": a component had nothing that can be shown; "moved": a field's content stands in
 * another field; "unlinked": an address that is no http(s) address was left out. The last two change nothing and say what
 * remains to be done: "pictures" has keys of another system, "variables" are not filled in here.
 */
export type ChangeKind =
  | "unwrapped"
  | "older"
  | "replaced"
  | "dropped"
  | "moved"
  | "unlinked"
  | "pictures"
  | "variables";

/** Something that a conversion did, or could not do, so many times. */
export interface CardChange {
  kind: ChangeKind;
  /** The tag or the field that was there; empty where the kind says it all. */
  from: string;
  to: string;
  count: number;
}

const NOTES: ReadonlySet<ChangeKind> = new Set(["pictures", "variables"]);
/** More kinds of changes than anybody reads; hostile cards have as many tags as components. */
const MAX_CHANGES = 60;
const MAX_NAME_CHARS = 60;

/** Counts what a conversion does. */
export class ChangeLog {
  readonly #byName = new Map<string, CardChange>();

  add(kind: ChangeKind, from = "", to = ""): void {
    const name = from.length > MAX_NAME_CHARS ? `${from.slice(0, MAX_NAME_CHARS).toWellFormed()}…` : from;
    const key = JSON.stringify([kind, name, to]);
    const known = this.#byName.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#byName.size < MAX_CHANGES) this.#byName.set(key, { kind, from: name, to, count: 1 });
  }

  /** In the order in which they first happened. */
  get all(): CardChange[] {
    return [...this.#byName.values()];
  }

  /** Whether anything is different now. */
  get hasChanged(): boolean {
    return this.all.some(({ kind }) => !NOTES.has(kind));
  }
}
