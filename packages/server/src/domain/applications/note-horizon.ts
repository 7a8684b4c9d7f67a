/** Longer than any transaction that notes a call may take: what has an id by then is committed, or never will be. */
const SETTLED_AFTER_MS = 20_000;
/** This often all ids are looked at, should a transaction have taken longer all the same. */
const ALL_EVERY_MS = 60_000;

/**
 * Below which id there are no notes any more. Rows that were deleted stay in the table while anybody reads an older state of the
 * database, such as a backup of an hour, and lie at the beginning: whoever looks at all ids passes by all of them.
 */
export class NoteHorizon {
  #id = 0;
  /** The greatest id that was met, and since when. */
  #next: { id: number; sinceMs: number } | null = null;
  #allAtMs = 0;

  get id(): number {
    return this.#id;
  }

  /** Above which id to look now. */
  at(nowMs: number): number {
    if (nowMs < this.#allAtMs) return this.#id;
    this.#allAtMs = nowMs + ALL_EVERY_MS;
    return 0;
  }

  /** All notes that were there at `sinceMs` have been added up, up to `id`; 0 when there were none. */
  folded(id: number, sinceMs: number): void {
    // The database is an earlier one, from a backup: its ids begin below.
    if (id > 0 && id < this.#id) {
      this.#id = 0;
      this.#next = null;
    }
    if (this.#next !== null && sinceMs >= this.#next.sinceMs + SETTLED_AFTER_MS) {
      this.#id = Math.max(this.#id, this.#next.id);
      this.#next = null;
    }
    if (this.#next === null && id > 0) this.#next = { id, sinceMs };
  }
}
