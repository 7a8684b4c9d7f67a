import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import type { Logger } from "pino";
import { invariant } from "../errors/invariant.ts";

/** An entry of a feed. The entries of a feed are numbered by `seq` without gaps, from 1. */
export interface FeedEntry {
  readonly seq: number;
}

/** The source of feed entries: the database. */
export interface FeedSource<Entry extends FeedEntry> {
  /** The last `seq` of each of these feeds, without empty ones. */
  lastSeqs(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * The entries after `afterSeq` in order, as many as fit in a page and at most `most`; empty when there are none. All
   * of them must be on disk.
   */
  readPage(key: string, afterSeq: number, most: number): Promise<readonly Entry[]>;
  /** Those of `ownerIds` who may see the feed now. */
  allowed(key: string, ownerIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Begins to hear of these feeds' entries from other processes. Resolves when that is so, and never rejects. */
  attend?(keys: readonly string[]): Promise<void>;
  /** Ends that. */
  ignore?(keys: readonly string[]): void;
}

/** An open stream, as the feeds see it. */
export interface Watcher<Entry extends FeedEntry> {
  readonly ownerId: string;
  /** Receives an entry. Must neither wait nor throw. */
  receive(key: string, entry: Entry): void;
  /** Tells the stream to read the feed itself from `afterSeq` on. Must neither wait nor throw. */
  fallBehind(key: string, afterSeq: number): void;
}

/**
 * The state of a feed that is watched in this process.
 *
 * - opening: `cursor` is null until other processes' hints are heard and then the feed's counter has been read; hints are
 *   recorded in `target`. A poll may read the counter before; then it is read once more, as if it were a hint;
 * - even: `cursor` has reached `target`;
 * - advancing: entries after `cursor` are being read and passed on, by one reader at a time.
 *
 * Invariant: `cursor` never decreases, and every entry up to it was passed to every watcher of that time.
 */
interface Feed<Entry extends FeedEntry> {
  cursor: number | null;
  target: number;
  advancing: boolean;
  readonly watchers: Set<Watcher<Entry>>;
}

/** The number of streams that read missed entries at the same time. */
const CATCHING_UP_AT_ONCE = 8;
/** How often the counters are read without a hint, because hints between processes may be lost. */
const POLL_EVERY_MS = 3_000;
/** Counters read by one query. */
const POLL_AT_ONCE = 500;

/**
 * Passes the entries of feeds to the streams of this process. The database is authoritative: a hint that a feed has a
 * new entry, from this process or another one, only makes the feed read on from its cursor. So each stream gets every
 * entry once and in the order of `seq`, even when hints are lost (docs/concurrency.md).
 */
export class Feeds<Entry extends FeedEntry> {
  readonly #source: FeedSource<Entry>;
  readonly #log: Logger;
  readonly #feeds = new Map<string, Feed<Entry>>();
  readonly #catchingUp = pLimit(CATCHING_UP_AT_ONCE);
  readonly #timer: NodeJS.Timeout;
  #polling = false;
  #pollsAgain = false;

  constructor(source: FeedSource<Entry>, log: Logger) {
    this.#source = source;
    this.#log = log;
    this.#timer = setInterval(() => void this.#poll(), POLL_EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Reports that the feed has an entry with this `seq`, which is on disk. Hints of other processes are not trusted. */
  hint(key: string, seq: number): void {
    const feed = this.#feeds.get(key);
    if (feed === undefined || !Number.isSafeInteger(seq) || seq < 0) return;
    feed.target = Math.max(feed.target, seq);
    if (!feed.advancing) void this.#advance(key, feed);
  }

  /** Reads the counters of all feeds at once, because hints have been missed. */
  catchUp(): void {
    if (this.#polling) this.#pollsAgain = true;
    else void this.#poll();
  }

  /** Adds `watcher` to these feeds. Resolves when it cannot miss any later entry. */
  async watch(watcher: Watcher<Entry>, keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#feed(key).watchers.add(watcher);
    const opening = keys.filter((key) => this.#feeds.get(key)?.cursor === null);
    if (opening.length === 0) return;
    // In this order: an entry is either counted already, or its hint will be heard.
    await this.#source.attend?.(opening);
    const lastSeqs = await this.lastSeqs(opening);
    for (const key of opening) this.#open(key, lastSeqs.get(key) ?? 0);
  }

  /** Removes `watcher` from these feeds. */
  unwatch(watcher: Watcher<Entry>, keys: Iterable<string>): void {
    const unwatched: string[] = [];
    for (const key of keys) {
      const feed = this.#feeds.get(key);
      feed?.watchers.delete(watcher);
      if (feed?.watchers.size !== 0) continue;
      this.#feeds.delete(key);
      unwatched.push(key);
    }
    if (unwatched.length > 0) this.#source.ignore?.(unwatched);
  }

  /** The cursor of the feed; null when nobody watches it here. */
  cursorOf(key: string): number | null {
    return this.#feeds.get(key)?.cursor ?? null;
  }

  /** The last `seq` of each of these feeds in the database, without empty ones. */
  async lastSeqs(keys: readonly string[]): Promise<Map<string, number>> {
    const all = new Map<string, number>();
    for (let from = 0; from < keys.length; from += POLL_AT_ONCE) {
      if (from > 0) await setImmediate();
      const some = await this.#source.lastSeqs(keys.slice(from, from + POLL_AT_ONCE));
      for (const [key, lastSeq] of some) all.set(key, lastSeq);
    }
    return all;
  }

  /** Runs work that reads pages for one stream when a slot is free, so that few pages are in memory at a time. */
  inTurn(work: () => Promise<void>): Promise<void> {
    return this.#catchingUp(work);
  }

  /** A page of the entries after `afterSeq`; see {@link FeedSource.readPage}. */
  readPage(key: string, afterSeq: number): Promise<readonly Entry[]> {
    return this.#source.readPage(key, afterSeq, Number.MAX_SAFE_INTEGER);
  }

  /** Whether the owner of a stream may see the feed now. */
  async isAllowed(key: string, ownerId: string): Promise<boolean> {
    return (await this.#source.allowed(key, [ownerId])).has(ownerId);
  }

  #feed(key: string): Feed<Entry> {
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    const fresh: Feed<Entry> = { cursor: null, target: 0, advancing: false, watchers: new Set() };
    this.#feeds.set(key, fresh);
    return fresh;
  }

  #open(key: string, lastSeq: number): void {
    const feed = this.#feeds.get(key);
    if (feed === undefined) return;
    feed.cursor ??= lastSeq;
    this.hint(key, lastSeq);
  }

  async #advance(key: string, feed: Feed<Entry>): Promise<void> {
    feed.advancing = true;
    try {
      while (feed.cursor !== null && feed.cursor < feed.target && feed.watchers.size > 0) {
        const { cursor, target } = feed;
        const page = await this.#source.readPage(key, cursor, target - cursor);
        if (page.length === 0) {
          // The hint was wrong: without this, each later hint would read for the missing entry again.
          if (feed.target === target) feed.target = cursor;
          continue;
        }
        await this.#handOut(key, feed, cursor, page);
        if (feed.cursor < feed.target) await setImmediate();
      }
    } catch (error) {
      this.#log.warn({ err: error }, "a feed could not be read; tried again shortly");
    } finally {
      feed.advancing = false;
    }
  }

  async #handOut(key: string, feed: Feed<Entry>, cursor: number, page: readonly Entry[]): Promise<void> {
    invariant(feed.advancing && cursor === feed.cursor, "one reader moves the cursor of a feed");
    invariant((page[0]?.seq ?? cursor) > cursor, "the cursor of a feed never decreases");
    const asked = new Set(feed.watchers);
    const allowed = await this.#source.allowed(key, [...new Set([...asked].map(({ ownerId }) => ownerId))]);
    // Watchers that were added while this page was read do not have the entries before it.
    for (const watcher of feed.watchers) if (!asked.has(watcher)) watcher.fallBehind(key, cursor);
    for (const entry of page) {
      for (const watcher of asked) {
        if (allowed.has(watcher.ownerId) && feed.watchers.has(watcher)) watcher.receive(key, entry);
      }
      feed.cursor = entry.seq;
    }
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      do {
        this.#pollsAgain = false;
        for (const [key, lastSeq] of await this.lastSeqs([...this.#feeds.keys()])) this.#open(key, lastSeq);
      } while (this.#pollsAgain);
    } catch (error) {
      this.#log.warn({ err: error }, "the counters of feeds could not be read; tried again shortly");
    } finally {
      this.#polling = false;
    }
  }
}
