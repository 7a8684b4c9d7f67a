import type { Place } from "./stream-kinds.ts";

/** The most conversations whose places are kept; those without events for the longest time are dropped first. */
const MAX_PLACES = 10_000;
/** The most conversations in a resume frame, */
const PLACES_PER_FRAME = 1_000;
/** and the most characters of their keys, which keep the frame well within 64 KiB of UTF-8. */
const KEY_LENGTH_PER_FRAME = 16_000;

/** The last place that has been read in each conversation. */
export class Places {
  readonly #seqs = new Map<string, number>();

  get all(): ReadonlyMap<string, number> {
    return this.#seqs;
  }

  /** The conversation of the latest event. */
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
   * Decides what to do with an event: `next` is new and is marked as read; `known` was read before; `ahead` follows a
   * gap.
   */
  take(place: Place): "next" | "known" | "ahead" {
    const known = this.#seqs.get(place.key);
    if (known !== undefined && place.seq <= known) return "known";
    if (known !== undefined && place.seq > known + 1) return "ahead";
    this.set(place);
    return "next";
  }

  /** All places, divided into as many parts as frames are needed. */
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
