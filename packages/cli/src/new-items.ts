/** How long an item that is under way is waited for. */
const PATIENCE_MS = 10_000;
/** The most ids that are remembered: more than one look reads. */
const MAX_KNOWN = 10_000;

/** A page of a list, and where the next one begins; null when there is none. */
export interface Page<Item, Place> {
  items: readonly Item[];
  next: Place | null;
}

/** How items are told apart. */
interface Kind<Item> {
  idOf(item: Item): string;
  timeOf(item: Item): number;
  isUnderWay?(item: Item): boolean;
}

/** Tells what is new in a list that is read again and again. What the first look finds is not. */
export class NewItems<Item> {
  readonly #kind: Kind<Item>;
  /** The ids that have been passed on, in order; the oldest is first. */
  readonly #known = new Set<string>();
  /** When an item that is under way was first seen, by its id. */
  readonly #awaited = new Map<string, number>();
  /** Whether there has been a look. */
  begun = false;
  /** The time of the newest item that was seen. */
  newestAt: number | undefined;

  constructor(kind: Kind<Item>) {
    this.#kind = kind;
  }

  isNew(item: Item): boolean {
    return !this.#known.has(this.#kind.idOf(item));
  }

  /** The new items among those of one look (newest first), oldest first. Later looks will not find them new. */
  take(items: readonly Item[], now = Date.now()): Item[] {
    const isFirst = !this.begun;
    this.begun = true;
    const found = items.toReversed().filter((item) => this.isNew(item) && (isFirst || this.#isReady(item, now)));
    for (const item of found) this.#remember(item);
    return isFirst ? [] : found;
  }

  #isReady(item: Item, now: number): boolean {
    if (!this.#kind.isUnderWay?.(item)) return true;
    const id = this.#kind.idOf(item);
    const since = this.#awaited.get(id) ?? now;
    this.#awaited.set(id, since);
    return now - since >= PATIENCE_MS;
  }

  #remember(item: Item): void {
    const id = this.#kind.idOf(item);
    this.#awaited.delete(id);
    this.#known.add(id);
    this.newestAt = Math.max(this.newestAt ?? 0, this.#kind.timeOf(item));
    for (const oldest of this.#known) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}
