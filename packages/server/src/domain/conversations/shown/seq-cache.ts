import { LRUCache } from "lru-cache";
import type { Clock } from "../../../platform/clock/clock.ts";

/** Must stay below one second: names of senders, which change without a `msgSeq`, are shown as they are within a second. */
const FRESH_MS = 800;
/** What an entry takes beside its value. */
const ENTRY_BYTES = 300;

/** Something that is shown of a conversation, and the `msgSeq` of the newest change when it was read. */
export interface Shown<Value> {
  value: Value;
  lastSeq: number;
}

interface Entry<Value> extends Shown<Value> {
  /** On the monotonic clock. */
  loadedAt: number;
}

/** When a read begins: what it finds is kept only if nothing has been forgotten since. */
interface Beginning {
  at: number;
  generation: number;
}

/**
 * What has been shown of conversations, to be shown again while `lastSeq` is the same and less than a second has passed. The cache
 * is bounded in bytes. Callers who need the same thing at the same time share a read.
 */
export class SeqCache<Value extends {}> {
  readonly #clock: Clock;
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #loading = new Map<string, Promise<Shown<Value> | null>>();
  #generation = 0;

  /** @param bytesOf the size of a value. */
  constructor(clock: Clock, maxBytes: number, bytesOf: (value: Value) => number) {
    this.#clock = clock;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ value }, key) => bytesOf(value) + key.length + ENTRY_BYTES,
    });
  }

  /** Whether it is worth while to ask how far the conversation has come before its page is read. */
  mayHave(key: string): boolean {
    return this.#fresh(key) !== undefined || this.#loading.has(key);
  }

  /** What was shown at `lastSeq`; undefined when it is not known any more. */
  get(key: string, lastSeq: number): Value | undefined {
    const entry = this.#fresh(key);
    return entry?.lastSeq === lastSeq ? entry.value : undefined;
  }

  /** The same, from a read in progress too; null when `read` has to be called, or found nothing that can be kept. */
  async getSoon(key: string, lastSeq: number): Promise<Value | null> {
    const known = this.get(key, lastSeq);
    if (known !== undefined) return known;
    const loaded = await this.#loading.get(key)?.catch(() => null);
    // It may have begun before the latest change.
    return loaded && loaded.lastSeq >= lastSeq ? loaded.value : null;
  }

  /** Reads it. Null when what was found is not to be kept. */
  async load(key: string, read: () => Promise<Shown<Value> | null>): Promise<Shown<Value> | null> {
    const since = this.begin();
    const loading = read();
    this.#loading.set(key, loading);
    try {
      const found = await loading;
      if (found !== null) this.keep(key, found, since);
      return found;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  /** Call it before what is to be kept is read. */
  begin(): Beginning {
    return { at: this.#clock.monotonic(), generation: this.#generation };
  }

  keep(key: string, { value, lastSeq }: Shown<Value>, since: Beginning): void {
    if (since.generation === this.#generation) this.#entries.set(key, { value, lastSeq, loadedAt: since.at });
  }

  /** Forgets everything, after this process has changed a name. */
  clear(): void {
    this.#generation++;
    this.#entries.clear();
    this.#loading.clear();
  }

  #fresh(key: string): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#clock.monotonic() - entry.loadedAt < FRESH_MS ? entry : undefined;
  }
}
