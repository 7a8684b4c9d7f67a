import { STREAM_CLOSES } from "@portico/protocol";
import type { Logger } from "pino";
import type { EventLoopTurns } from "../limits/event-loop-turns.ts";
import type { ClientSocket } from "./client-socket.ts";
import type { FeedEntry, Feeds, Watcher } from "./feeds.ts";

/** What a follower sends to. */
export type Outlet = Pick<ClientSocket, "isOpen" | "takesMore" | "drained" | "send" | "close">;

/** What a {@link Follower} is made of. */
export interface FollowerParts<Entry extends FeedEntry> {
  /** Whose stream it is. */
  ownerId: string;
  feeds: Feeds<Entry>;
  turns: EventLoopTurns;
  log: Logger;
  /** An entry as this stream's client is sent it: JSON text. */
  write(key: string, entry: Entry): string;
}

/**
 * The feeds that one open stream follows.
 *
 * Entries are passed on as the feeds hand them out, as long as the client takes them. When it does not, or asks for an
 * earlier place, the feed is **behind** for this stream: live entries are ignored and the stream reads that feed from the
 * database, page by page as the client takes them, until it has caught up. So a slow client costs little memory, and each
 * entry comes once and in order.
 *
 * Invariants: a feed that is behind gets no live entry; at most one page is read at a time; a page read for a place that
 * the client has left meanwhile is dropped.
 */
export class Follower<Entry extends FeedEntry> implements Watcher<Entry> {
  readonly ownerId: string;
  readonly #parts: FollowerParts<Entry>;
  readonly #followed = new Set<string>();
  /** Feeds whose place is still being looked up: live entries are ignored, because the feed is going to be behind. */
  readonly #held = new Set<string>();
  /** Feeds that are behind, with the last `seq` the client has of each. */
  readonly #behind = new Map<string, number>();
  /** Up to where catching up has gone: the feed may hand out the same entries a moment later. */
  readonly #caughtUpTo = new Map<string, number>();
  #socket: Outlet | null = null;
  #pumping: Promise<void> | null = null;
  #closed = false;

  constructor(parts: FollowerParts<Entry>) {
    this.ownerId = parts.ownerId;
    this.#parts = parts;
  }

  /** The feeds that it follows. */
  get keys(): ReadonlySet<string> {
    return this.#followed;
  }

  /** Begins to send, starting with what has come since it began to follow. */
  attach(socket: Outlet): void {
    this.#socket = socket;
    this.#pump();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#parts.feeds.unwatch(this, this.#followed);
    this.#followed.clear();
    this.#behind.clear();
  }

  /**
   * Follows these feeds, which it did not, from now on; once it resolves, nothing that comes later is missed.
   *
   * @param places from where on, where that is not from now: the last `seq` that the client has.
   */
  async follow(keys: readonly string[], places: ReadonlyMap<string, number> | null = null): Promise<void> {
    if (places !== null) for (const key of keys) this.#held.add(key);
    let isFollowing = false;
    try {
      await this.#parts.feeds.watch(this, keys);
      isFollowing = !this.#closed;
    } finally {
      if (places !== null) for (const key of keys) this.#held.delete(key);
      if (!isFollowing) this.#parts.feeds.unwatch(this, keys);
    }
    if (!isFollowing) return;
    for (const key of keys) this.#followed.add(key);
    for (const [key, place] of places ?? []) this.fallBehind(key, place);
  }

  /** Follows the feed no longer. Should it be followed again, it goes on from here. */
  leave(key: string): void {
    const reached = this.#placeOf(key);
    if (reached !== null) this.#caughtUpTo.set(key, reached);
    this.#behind.delete(key);
    this.#followed.delete(key);
    this.#parts.feeds.unwatch(this, [key]);
  }

  /** Brings what came in each of these feeds, which it follows, after the place that the client has. */
  async resume(places: ReadonlyMap<string, number>): Promise<void> {
    const keys = [...places.keys()];
    for (const key of keys) this.#held.add(key);
    try {
      const lastSeqs = await this.#parts.feeds.lastSeqs(keys);
      if (this.#closed) return;
      for (const [key, place] of places) {
        if (!this.#followed.has(key)) continue;
        this.#caughtUpTo.delete(key);
        const lastSeq = lastSeqs.get(key) ?? 0;
        // A place from the future counts as now, where there is nothing to read.
        if (place < lastSeq) this.#behind.set(key, place);
        else this.#settle(key, lastSeq);
      }
    } finally {
      for (const key of keys) this.#held.delete(key);
    }
    this.#pump();
  }

  /** Resolves once what is in the feed now has been sent, or the client takes nothing more. */
  async flush(key: string): Promise<void> {
    const lastSeq = (await this.#parts.feeds.lastSeqs([key])).get(key) ?? 0;
    let before: number | null = null;
    for (let place = this.#placeOf(key); place !== null && place < lastSeq; place = this.#placeOf(key)) {
      // What stands still is not there to be read, or has nobody to be sent to.
      if (place === before || !this.#followed.has(key)) return;
      before = place;
      this.fallBehind(key, place);
      await this.#pumping;
    }
  }

  receive(key: string, entry: Entry): void {
    if (this.#held.has(key) || this.#behind.has(key)) return;
    if (entry.seq <= (this.#caughtUpTo.get(key) ?? 0)) return;
    if (this.#socket?.takesMore) this.#socket.send(this.#parts.write(key, entry));
    else this.fallBehind(key, entry.seq - 1);
  }

  fallBehind(key: string, afterSeq: number): void {
    if (this.#closed || this.#held.has(key) || this.#behind.has(key)) return;
    this.#behind.set(key, Math.max(afterSeq, this.#caughtUpTo.get(key) ?? 0));
    this.#pump();
  }

  /** The last `seq` that has been sent, or did not have to be; null where the feed has not been opened. */
  #placeOf(key: string): number | null {
    const behind = this.#behind.get(key);
    if (behind !== undefined) return behind;
    const cursor = this.#parts.feeds.cursorOf(key);
    return cursor === null ? null : Math.max(cursor, this.#caughtUpTo.get(key) ?? 0);
  }

  #pump(): void {
    const socket = this.#socket;
    if (this.#pumping !== null || socket === null || this.#closed || this.#behind.size === 0) return;
    this.#pumping = this.#catchUpAll(socket)
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, "a stream could not catch up");
        socket.close(STREAM_CLOSES.FAILED);
      })
      .finally(() => {
        this.#pumping = null;
        // Something may have fallen behind since the last look at what is.
        if (socket.isOpen) this.#pump();
      });
  }

  async #catchUpAll(socket: Outlet): Promise<void> {
    for (let next = firstOf(this.#behind); next !== undefined; next = firstOf(this.#behind)) {
      const [key, afterSeq] = next;
      // A page is read only when there is room for it, and handed on at once, so no stream holds more than one.
      if (!(await socket.drained())) return;
      await this.#parts.turns.next();
      await this.#parts.feeds.inTurn(() => this.#catchUp(socket, key, afterSeq));
    }
  }

  async #catchUp(socket: Outlet, key: string, afterSeq: number): Promise<void> {
    const { feeds, write } = this.#parts;
    const cursor = feeds.cursorOf(key) ?? 0;
    const page = await feeds.readPage(key, afterSeq);
    const isAllowed = await feeds.isAllowed(key, this.ownerId);
    // Another resume may have set a place of its own.
    if (this.#behind.get(key) !== afterSeq) return;
    if (!isAllowed) {
      this.#behind.delete(key);
      return;
    }
    for (const entry of page) socket.send(write(key, entry));
    const reached = page.at(-1)?.seq ?? afterSeq;
    if (page.length === 0 && afterSeq < cursor) throw new Error("the feed is ahead of what can be read");
    this.#settle(key, reached);
  }

  /** Notes how far a page has brought the feed; from there on it is live again if the feed is not ahead. */
  #settle(key: string, reached: number): void {
    if (reached >= (this.#parts.feeds.cursorOf(key) ?? 0)) {
      this.#behind.delete(key);
      this.#caughtUpTo.set(key, reached);
    } else {
      // The feed may have gone on since the page was read: then there is another.
      this.#behind.set(key, reached);
    }
  }
}

function firstOf<K, V>(map: ReadonlyMap<K, V>): [K, V] | undefined {
  const [first] = map;
  return first;
}
