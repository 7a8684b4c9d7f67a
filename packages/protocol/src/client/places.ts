import type { Place } from "./stream-kinds.ts";

/** Conversations whose places are kept; those in which nothing has happened for longest are forgotten first. */
const MAX_PLACES = 10_000;
/** A frame that resumes may name so many conversations, */
const PLACES_PER_FRAME = 1_000;
/** and its keys may be so long together, which keeps it well within 64 KiB of UTF-8. */
const KEY_LENGTH_PER_FRAME = 16_000;

/** How far each conversation has been read. */
export class Places {
  readonly #seqs = new Map<string, number>();

  get all(): ReadonlyMap<string, number> {
    return this.#seqs;
  }

  /** The conversation in which something happened last. */
  get newest(): Place | null {
    const last = [...this.#seqs].at(-1);
    return last === undefined ? null : { key: last[0], seq: last[1] };
  }

  set({ key, seq }: Place): void {
    this.#seqs.delete(key);
    this.#seqs.set(key, seq);
    const [oldest] = this.#seqs.keys();
    if (this.#seqs.size > MAX_PLACES && oldest !== undefined) this.#seqs.delete(oldest);
  }

  forget(key: string): void {
    this.#seqs.delete(key);
  }

  /**
   * What to do with what happened at a place: `next` is what has not been read yet, and is read now; `known` has been; and
   * before one that is `ahead` some is missing.
   */
  take(place: Place): "next" | "known" | "ahead" {
    const known = this.#seqs.get(place.key);
    if (known !== undefined && place.seq <= known) return "known";
    if (known !== undefined && place.seq > known + 1) return "ahead";
    this.set(place);
    return "next";
  }

  /** All of them, in as many parts as there have to be frames. */
  *parts(): Generator<ReadonlyMap<string, number>> {
    let part = new Map<string, number>();
    let length = 0;
    for (const [key, seq] of this.#seqs) {
      if (part.size === PLACES_PER_FRAME || length + key.length > KEY_LENGTH_PER_FRAME) {
        yield part;
        part = new Map();
        length = 0;
      }
      part.set(key, seq);
      length += key.length;
    }
    if (part.size > 0) yield part;
  }
}
