/** A map that is usually empty, and then takes no memory of its own: an empty Map takes 0.2 KB. */
export class SparseMap<Key, Value> {
  #entries: Map<Key, Value> | null = null;

  get size(): number {
    return this.#entries?.size ?? 0;
  }

  has(key: Key): boolean {
    return this.#entries?.has(key) ?? false;
  }

  get(key: Key): Value | undefined {
    return this.#entries?.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries ??= new Map();
    this.#entries.set(key, value);
  }

  delete(key: Key): boolean {
    const had = this.#entries?.delete(key) ?? false;
    if (this.#entries?.size === 0) this.#entries = null;
    return had;
  }

  clear(): void {
    this.#entries = null;
  }

  /** The entry that was added first. */
  get first(): [Key, Value] | undefined {
    if (this.#entries === null) return undefined;
    const [first] = this.#entries;
    return first;
  }
}
