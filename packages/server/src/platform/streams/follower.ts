import { STREAM_CLOSES } from "@portico/protocol";
import type { Logger } from "pino";
import type { EventLoopTurns } from "../limits/event-loop-turns.ts";
import type { ClientSocket } from "./client-socket.ts";
import type { FeedEntry, Feeds, Watcher } from "./feeds.ts";
import { SparseMap } from "./sparse.ts";

/** The connection to which a follower sends. */
export type Outlet = Pick<ClientSocket, "isOpen" | "takesMore" | "drained" | "send" | "close">;

/** Dependencies of a {@link Follower}. */
export interface FollowerParts<Entry extends FeedEntry> {
  /** The owner of the stream. */
  ownerId: string;
  feeds: Feeds<Entry>;
  turns: EventLoopTurns;
  log: Logger;
  /** Serialises an entry for this stream's client as JSON text. */
  write(key: string, entry: Entry): string;
}

/**
 * The feeds that one open stream follows. Live entries are passed on while the client reads them. When it does not, or
 * asks for an earlier place, the feed is **behind** for this stream: live entries are ignored, and the stream reads the
 * feed from the database, one page at a time at the client's pace, until it has caught up. So a slow client needs
 * little memory, and each entry is sent once and in order.
 *
 * Invariants: a feed that is behind gets no live entry; at most one page is read at a time; a page is dropped when the
 * client has meanwhile asked for another place.
 */
export class Follower<Entry extends FeedEntry> implements Watcher<Entry> {
  readonly ownerId: string;
  readonly #parts: FollowerParts<Entry>;
  readonly #followed = new Set<string>();
  /** Feeds whose place is being looked up. Live entries are ignored, because the feed will be behind. */
  readonly #held = new SparseMap<string, true>();
  /** Feeds that are behind, with the last `seq` that the client has of each. */
  readonly #behind = new SparseMap<string, number>();
  /** The place up to which catching up has sent: the feed may pass on the same entries a moment later. */
  readonly #caughtUpTo = new SparseMap<string, number>();
  #socket: Outlet | null = null;
  #pumping: Promise<void> | null = null;
  #closed = false;

  constructor(parts: FollowerParts<Entry>) {
    this.ownerId = parts.ownerId;
    this.#parts = parts;
  }

  /** The followed feeds. */
  get keys(): ReadonlySet<string> {
    return this.#followed;
  }

  /** Begins to send, starting with the entries since it began to follow. */
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
   * Begins to follow these feeds. Once it resolves, no later entry is missed.
   *
   * @param places the last `seq` that the client has in a feed, for feeds that do not start from now.
   */
  async follow(keys: readonly string[], places: ReadonlyMap<string, number> | null = null): Promise<void> {
    if (places !== null) for (const key of keys) this.#held.set(key, true);
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

  /** Stops following the feed. When it is followed again, it continues from here. */
  leave(key: string): void {
    const reached = this.#placeOf(key);
    if (reached !== null) this.#caughtUpTo.set(key, reached);
    this.#behind.delete(key);
    this.#followed.delete(key);
    this.#parts.feeds.unwatch(this, [key]);
  }

  /** Sends the entries of these followed feeds after the places that the client has. */
  async resume(places: ReadonlyMap<string, number>): Promise<void> {
    const keys = [...places.keys()];
    for (const key of keys) this.#held.set(key, true);
    try {
      const lastSeqs = await this.#parts.feeds.lastSeqs(keys);
      if (this.#closed) return;
      for (const [key, place] of places) {
        if (!this.#followed.has(key)) continue;
        this.#caughtUpTo.delete(key);
        const lastSeq = lastSeqs.get(key) ?? 0;
        // A place beyond the last entry counts as the last.
        if (place < lastSeq) this.#behind.set(key, place);
        else this.#settle(key, lastSeq);
      }
    } finally {
      for (const key of keys) this.#held.delete(key);
    }
    this.#pump();
  }

  /** Resolves when all current entries of the feed have been sent, or the client has stopped reading. */
  async flush(key: string): Promise<void> {
    const lastSeq = (await this.#parts.feeds.lastSeqs([key])).get(key) ?? 0;
    let before: number | null = null;
    for (let place = this.#placeOf(key); place !== null && place < lastSeq; place = this.#placeOf(key)) {
      // No progress: the entry cannot be read, or nobody can receive it.
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

  /** The last `seq` that was sent or need not be; null when the feed has not been opened. */
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
        // More may have fallen behind since the last check.
        if (socket.isOpen) this.#pump();
      });
  }

  async #catchUpAll(socket: Outlet): Promise<void> {
    for (let next = this.#behind.first; next !== undefined; next = this.#behind.first) {
      const [key, afterSeq] = next;
      // A page is read only when the socket has room, and sent at once, so a stream holds at most one.
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
    // Another resume may have set its own place.
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

  /** Records how far a page has brought the feed. It becomes live again unless the feed is further. */
  #settle(key: string, reached: number): void {
    if (reached >= (this.#parts.feeds.cursorOf(key) ?? 0)) {
      this.#behind.delete(key);
      this.#caughtUpTo.set(key, reached);
    } else {
      // The feed may have advanced since the page was read; then another page is needed.
      this.#behind.set(key, reached);
    }
  }
}
