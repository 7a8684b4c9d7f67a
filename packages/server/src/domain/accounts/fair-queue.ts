/** What waits for its turn: each caller's in its order, the callers by turns, so that who has much waiting holds up nobody. */
export class FairQueue<Item> {
  readonly #max: number;
  /** By caller; the one whose turn is next stands first. */
  readonly #waiting = new Map<string, Item[]>();
  #size = 0;

  /** @param max how many may wait. */
  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#size >= this.#max;
  }

  /**
   * Adds an item. When the queue is full it takes the place of the newest one of whoever has most waiting, unless that is
   * no more than this caller has.
   *
   * @returns the item that has no place now; null when all have.
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

  /** Takes out what is next; null when nothing waits. */
  take(): Item | null {
    for (const [caller, items] of this.#waiting) {
      this.#waiting.delete(caller);
      const item = items.shift();
      if (item === undefined) continue;
      if (items.length > 0) this.#waiting.set(caller, items);
      this.#size--;
      return item;
    }
    return null;
  }

  /** What the caller added last, if it still waits. */
  newestOf(caller: string): Item | null {
    return this.#waiting.get(caller)?.at(-1) ?? null;
  }

  /** Takes the newest item out of whoever has most; null when nobody has two more than `own`. */
  #displace(own: number): Item | null {
    let most: Item[] = [];
    for (const items of this.#waiting.values()) if (items.length > most.length) most = items;
    return most.length > own + 1 ? (most.pop() ?? null) : null;
  }
}
