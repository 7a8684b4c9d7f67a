/**
 * A bounded queue that serves callers round-robin: a caller with many items does not delay the others. The items of one
 * caller keep their order.
 */
export class FairQueue<Item> {
  readonly #max: number;
  /** Items by caller; the first caller in the map is served next. */
  readonly #waiting = new Map<string, Item[]>();
  #size = 0;

  /** @param max the most items that may be queued. */
  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  get isFull(): boolean {
    return this.#size >= this.#max;
  }

  /**
   * Adds an item. When the queue is full, it replaces the newest item of the caller with the most items, unless that
   * caller has no more items than this one.
   *
   * @returns the item that was dropped; null when none was.
   */
  add(caller: string, item: Item): Item | null {
    const own = this.#waiting.get(caller) ?? [];
    const displaced = this.isFull ? this.#displace(own.length) : null;
    if (this.isFull && displaced === null) return item;
    own.push(item);
    this.#waiting.set(caller, own);
    if (displaced === null) this.#size++;
    return displaced;
  }

  /**
   * Removes the next item; null when there is none.
   *
   * @param isReady the callers whose turn it may be.
   */
  take(isReady: (caller: string) => boolean = () => true): Item | null {
    for (const [caller, items] of this.#waiting) {
      if (!isReady(caller)) continue;
      this.#waiting.delete(caller);
      const item = items.shift();
      if (item === undefined) continue;
      if (items.length > 0) this.#waiting.set(caller, items);
      this.#size--;
      return item;
    }
    return null;
  }

  /** The item that the caller added last, if it is still queued. */
  newestOf(caller: string): Item | null {
    return this.#waiting.get(caller)?.at(-1) ?? null;
  }

  /**
   * Removes the newest item of the caller with the most items; null when no caller has at least two more than `own`.
   */
  #displace(own: number): Item | null {
    let most: Item[] = [];
    for (const items of this.#waiting.values()) if (items.length > most.length) most = items;
    return most.length > own + 1 ? (most.pop() ?? null) : null;
  }
}
